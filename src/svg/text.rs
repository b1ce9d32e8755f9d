//! Text in XML: escaped, and readable whatever the characters are.

use std::fmt::Write as _;

/// The text as it may stand in an element or in a quoted attribute.
///
/// What XML 1.0 forbids (section 2.2: most control characters, U+FFFE and U+FFFF)
/// can't be written even as a reference, and becomes U+FFFD.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // As they are, a parser would turn them into blanks or line ends.
            '\t' | '\n' | '\r' => {
                let _ = write!(out, "&#{};", u32::from(character));
            }
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}

/// One character as a reader can see it on its own: a control character as its
/// picture, a combining mark on a dotted circle, and what has no shape as its number.
pub fn glyph(character: char) -> String {
    let number = u32::from(character);
    match number {
        0..=0x1f => char::from_u32(0x2400 + number).map_or_else(String::new, String::from),
        0x7f => '\u{2421}'.to_string(),
        // Marks of the common blocks; others show as their font has them.
        0x300..=0x36f
        | 0x483..=0x489
        | 0x591..=0x5bd
        | 0x610..=0x61a
        | 0x64b..=0x65f
        | 0x1ab0..=0x1aff
        | 0x1dc0..=0x1dff
        | 0x20d0..=0x20ff
        | 0x302a..=0x302f
        | 0x3099..=0x309a
        | 0xfe20..=0xfe2f => format!("\u{25cc}{character}"),
        // C1 controls, soft hyphens, joiners, marks of direction, selectors, tags.
        0x80..=0x9f
        | 0xad
        | 0x61c
        | 0x115f..=0x1160
        | 0x17b4..=0x17b5
        | 0x180b..=0x180f
        | 0x200b..=0x200f
        | 0x202a..=0x202e
        | 0x2060..=0x206f
        | 0x3164
        | 0xfe00..=0xfe0f
        | 0xfeff
        | 0xffa0
        | 0xfff0..=0xfffb
        | 0xfffe..=0xffff
        | 0xe0000..=0xe0fff => format!("U+{number:04X}"),
        _ => character.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped_and_what_xml_forbids_is_replaced() {
        assert_eq!(escaped("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
        assert_eq!(escaped("a\u{0}b\u{1b}c\u{fffe}d\te"), "a\u{fffd}b\u{fffd}c\u{fffd}d&#9;e");
        assert_eq!(escaped("🀄é"), "🀄é");
    }

    #[test]
    fn every_character_has_something_to_see() {
        assert_eq!(glyph('A'), "A");
        assert_eq!(glyph('🀄'), "🀄");
        assert_eq!(glyph('\u{1}'), "␁");
        assert_eq!(glyph('\u{301}'), "◌\u{301}");
        assert_eq!(glyph('\u{202e}'), "U+202E");
        for number in 0..=0x10_ffff {
            let Some(character) = char::from_u32(number) else { continue };
            let shown = escaped(&glyph(character));
            assert!(!shown.is_empty() && !shown.contains(|c: char| c.is_ascii_control()));
        }
    }
}
