//! Strongly connected components of the open edges, directed by how they are used.
//!
//! Tarjan 1972, with an explicit stack; O(places).

use crate::budget::{Budget, Stop};
use crate::puzzles::rook_circuit::regions::Field;

/// The number of each free place's component, where `open` edges lead from their black end
/// when they are `used` and else from their white end.
pub(super) fn components(
    field: &Field,
    open: &[bool],
    used: &[bool],
    budget: &mut Budget,
) -> Result<Vec<u32>, Stop> {
    /// The number of a place that was not met yet.
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; field.places()];
    let mut lowest = vec![0; field.places()];
    let mut component = vec![NEW; field.places()];
    let mut next_edge = vec![0_u8; field.places()];
    let (mut numbers, mut components) = (0, 0);
    let (mut path, mut pending) = (Vec::new(), Vec::new());
    for start in field.free_places() {
        if number[start] != NEW {
            continue;
        }
        path.push(start);
        while let Some(&place) = path.last() {
            budget.tick()?;
            if number[place] == NEW {
                (number[place], lowest[place]) = (numbers, numbers);
                numbers += 1;
                pending.push(place);
            }
            let mut deeper = None;
            while let Some(&(edge, other)) = field.around(place).get(next_edge[place] as usize) {
                if open[edge] && used[edge] != field.is_white(place) {
                    if number[other] == NEW {
                        deeper = Some(other);
                        break;
                    }
                    if component[other] == NEW {
                        lowest[place] = lowest[place].min(lowest[other]);
                    }
                }
                next_edge[place] += 1;
            }
            if let Some(other) = deeper {
                path.push(other);
                continue;
            }
            path.pop();
            if lowest[place] == number[place] {
                while let Some(member) = pending.pop() {
                    component[member] = components;
                    if member == place {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    Ok(component)
}
