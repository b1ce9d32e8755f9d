//! Reading Rust source just far enough for the rules: its words with their
//! lines, without comments and literals, and the paths that they spell.

/// A word (identifier, keyword or lifetime) or a single mark, with its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'text> {
    /// The line it stands on, from 1.
    pub(crate) line: usize,
    /// The word or the mark.
    pub(crate) text: &'text str,
}

/// A path that begins in this crate or in another, such as `crate::grid::Cell`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SpelledPath {
    /// The line of its last segment, from 1.
    pub(crate) line: usize,
    /// Its segments; one of a `use` group has the group's prefix.
    pub(crate) segments: Vec<String>,
}

/// The tokens of a file, without comments and the contents of literals.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let length = if first == '\n' || first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = raw_string(rest) {
            length
        } else if first == '"' || rest.starts_with("b\"") || rest.starts_with("c\"") {
            quoted(rest, '"')
        } else if is_character_literal(rest) {
            quoted(rest, '\'')
        } else {
            let length = word(rest).max(first.len_utf8());
            tokens.push(Token { line, text: &rest[..length] });
            length
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

/// The tokens but for items under `#[cfg(test)]`.
pub(crate) fn without_tests<'text>(tokens: &[Token<'text>]) -> Vec<Token<'text>> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut index = 0;
    while index < tokens.len() {
        if texts(&tokens[index..]).take(MARK.len()).eq(MARK) {
            index += item(&tokens[index..]);
        } else {
            kept.push(tokens[index]);
            index += 1;
        }
    }
    kept
}

/// Every path of two segments or more, `use` groups multiplied out.
pub(crate) fn paths(tokens: &[Token<'_>]) -> Vec<SpelledPath> {
    let mut paths = Vec::new();
    let mut index = 0;
    while index < tokens.len() {
        let begins =
            is_word(tokens[index].text) && texts(&tokens[index + 1..]).take(2).eq([":"; 2]);
        // The path of `pub(in crate::a)` says who may see, not what is used.
        let is_visibility = index > 1 && texts(&tokens[index - 2..index]).eq(["(", "in"]);
        if is_visibility {
            index += path_tree(&tokens[index..], &[], &mut Vec::new());
        } else if begins {
            index += path_tree(&tokens[index..], &[], &mut paths);
        } else {
            index += 1;
        }
    }
    paths
}

/// Whether `sequence` stands in the tokens, and on which lines.
pub(crate) fn lines_with(tokens: &[Token<'_>], sequence: &[&str]) -> Vec<usize> {
    tokens
        .windows(sequence.len())
        .filter(|window| texts(window).eq(sequence.iter().copied()))
        .map(|window| window[0].line)
        .collect()
}

fn texts<'text>(tokens: &[Token<'text>]) -> impl Iterator<Item = &'text str> {
    tokens.iter().map(|token| token.text)
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

fn word(rest: &str) -> usize {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    rest.find(|character| !is_part(character)).unwrap_or(rest.len())
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut index = 0;
    loop {
        if rest[index..].starts_with("/*") {
            depth += 1;
            index += 2;
        } else if rest[index..].starts_with("*/") {
            depth -= 1;
            index += 2;
        } else {
            index += rest[index..].chars().next().map_or(0, char::len_utf8);
        }
        if depth == 0 || index == rest.len() {
            return index;
        }
    }
}

/// The length of `r"…"`, `r#"…"#`, `br"…"` and their like.
fn raw_string(rest: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        rest.strip_prefix(prefix).is_some_and(|after| after.starts_with(['"', '#']))
    })?;
    let after = &rest[prefix.len()..];
    let hashes = after.len() - after.trim_start_matches('#').len();
    let content = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = content.find(&end).map_or(content.len(), |at| at + end.len());
    Some(prefix.len() + hashes + 1 + length)
}

/// The length of a literal that begins at the first quote of `rest`.
fn quoted(rest: &str, quote: char) -> usize {
    let begin = rest.find(quote).map_or(0, |at| at + 1);
    let mut escaped = false;
    for (index, character) in rest[begin..].char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return begin + index + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Tells `'a'` from the lifetime `'a`.
fn is_character_literal(rest: &str) -> bool {
    let Some(after) = rest.strip_prefix("b'").or_else(|| rest.strip_prefix('\'')) else {
        return false;
    };
    let mut characters = after.chars();
    characters.next() == Some('\\') || characters.next() == Some('\'')
}

/// How many tokens the attribute and the item after it take.
fn item(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" => depth -= 1,
            "}" => {
                depth -= 1;
                if depth == 0 {
                    return index + 1;
                }
            }
            ";" if depth == 0 => return index + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Reads one path or `use` tree that begins at a word; how many tokens it takes.
fn path_tree(tokens: &[Token<'_>], prefix: &[String], paths: &mut Vec<SpelledPath>) -> usize {
    let mut segments = prefix.to_vec();
    let mut index = 0;
    let mut line = tokens[0].line;
    loop {
        match tokens.get(index).map(|token| token.text) {
            Some("{") => {
                index += 1;
                while index < tokens.len() && tokens[index].text != "}" {
                    if tokens[index].text == "as" {
                        index += 2;
                    } else if is_word(tokens[index].text) || tokens[index].text == "*" {
                        index += path_tree(&tokens[index..], &segments, paths);
                    } else {
                        index += 1;
                    }
                }
                return index + 1;
            }
            Some(text) if is_word(text) || text == "*" => {
                segments.push(text.to_owned());
                line = tokens[index].line;
                index += 1;
            }
            // `::<`: the arguments are paths of their own.
            _ => break,
        }
        if texts(&tokens[index..]).take(2).eq([":"; 2]) {
            index += 2;
        } else {
            break;
        }
    }
    paths.push(SpelledPath { line, segments });
    index.max(1)
}

#[test]
fn comments_and_literals_are_no_tokens() {
    let text = "let a = b\"x\\\"\"; // todo!()\n/* /* */ dbg! */ 'x' 'life r#\"unsafe\"# '\\'' end";
    let words: Vec<_> = texts(&tokens(text)).collect();
    assert_eq!(words, ["let", "a", "=", ";", "'", "life", "end"]);
    assert_eq!(tokens(text).last().map(|token| token.line), Some(2));
}

#[test]
fn groups_are_multiplied_out_and_test_modules_left_out() {
    let text = "use crate::{a::B, c::{self, D as E}};\n#[cfg(test)]\nmod tests { use super::x; }\n\
                pub(in crate::v) fn f() { super::g::<crate::H>(); }";
    let spelled: Vec<_> = paths(&without_tests(&tokens(text)))
        .iter()
        .map(|path| format!("{}:{}", path.line, path.segments.join("::")))
        .collect();
    let expected =
        ["1:crate::a::B", "1:crate::c::self", "1:crate::c::D", "4:super::g", "4:crate::H"];
    assert_eq!(spelled, expected);
}
