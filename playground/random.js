// Random numbers from a seed, so that a random board can be made again.

/** A generator of numbers in [0, 1): mulberry32, seeded by the FNV-1a hash of a text. */
export function generator(seed) {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(String(seed))) {
    state = Math.imul(state ^ byte, 0x01000193);
  }
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (list) => list[below(list.length)],
    /** Fisher and Yates, in place. */
    shuffle(list) {
      for (let last = list.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [list[last], list[other]] = [list[other], list[last]];
      }
      return list;
    },
  };
}
