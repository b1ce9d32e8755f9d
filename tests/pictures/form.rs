//! What holds for every picture, whatever it shows.

use std::collections::BTreeSet;

use boardsolve::puzzles;
use roxmltree::{Document, Node};

use crate::drawn;

const SVG: &str = "http://www.w3.org/2000/svg";

/// The elements that pictures are made of: none can run, load or link to anything.
const ELEMENTS: [&str; 9] =
    ["svg", "title", "desc", "style", "g", "rect", "circle", "path", "text"];

/// Checks a picture's form and gives its texts, the style left out.
#[track_caller]
pub(crate) fn checked(picture: &str) -> Vec<String> {
    let document = Document::parse(picture).unwrap_or_else(|error| panic!("{error}\n{picture}"));
    let root = document.root_element();
    assert!(root.has_tag_name((SVG, "svg")), "the root is {root:?}");
    assert_eq!(root.attribute("role"), Some("img"));
    let named: Vec<_> = root
        .children()
        .filter(Node::is_element)
        .take(2)
        .map(|node| (node.tag_name().name(), node.attribute("id")))
        .collect();
    assert_eq!(named, [("title", Some("title")), ("desc", Some("desc"))], "for screen readers");
    assert_eq!(root.attribute("aria-labelledby"), Some("title desc"));
    let view: Vec<f64> = root
        .attribute("viewBox")
        .expect("a view box")
        .split(' ')
        .map(|number| number.parse().expect("a number"))
        .collect();
    assert!(view.len() == 4 && view[2] > 0.0 && view[3] > 0.0, "{view:?}");
    let style = document.descendants().find(|node| node.has_tag_name("style"));
    let style = style.and_then(|node| node.text()).expect("a style");
    assert!(style.contains("@media (prefers-color-scheme:dark)"), "{style}");
    assert!(!style.contains("url") && !style.contains("@import"), "{style}");
    let mut texts = Vec::new();
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        assert!(ELEMENTS.contains(&name), "<{name}>");
        for attribute in node.attributes() {
            let (key, value) = (attribute.name(), attribute.value());
            assert!(!key.contains("href") && !key.starts_with("on"), "{key}=\"{value}\"");
            assert!(!value.contains("url("), "{key}=\"{value}\"");
            assert!(!["NaN", "inf"].iter().any(|word| value.contains(word)), "{key}=\"{value}\"");
        }
        for class in node.attribute("class").unwrap_or_default().split_whitespace() {
            let is_styled = style.contains(&format!(".{class}{{"));
            // A class may say "as it is", such as the solid one among dashes.
            assert!(is_styled || class.starts_with('d'), "no rule for `{class}`");
        }
        if let ("text" | "title" | "desc", Some(text)) = (name, node.text()) {
            assert!(!text.is_empty());
            texts.push(text.to_owned());
        }
    }
    texts
}

/// The number of elements of that name whose class list holds `class`.
pub(crate) fn count(picture: &str, element: &str, class: &str) -> usize {
    let document = Document::parse(picture).expect("the picture is XML");
    document
        .descendants()
        .filter(|node| node.has_tag_name((SVG, element)))
        .filter(|node| {
            node.attribute("class")
                .is_some_and(|classes| classes.split(' ').any(|one| one == class))
        })
        .count()
}

/// The number of pieces of the paths of that class.
pub(crate) fn pieces(picture: &str, class: &str) -> usize {
    let document = Document::parse(picture).expect("the picture is XML");
    document
        .descendants()
        .filter(|node| node.has_tag_name((SVG, "path")))
        .filter(|node| {
            node.attribute("class")
                .is_some_and(|classes| classes.split(' ').any(|one| one == class))
        })
        .filter_map(|node| node.attribute("d"))
        .map(|data| data.matches(['M', 'm']).count())
        .sum()
}

#[test]
fn every_example_of_every_puzzle_is_drawn_and_the_same_each_time() {
    for endpoint in puzzles::ALL {
        let mut pictures = BTreeSet::new();
        for example in endpoint.examples() {
            let picture = drawn(endpoint.name(), &example.request);
            checked(&picture);
            assert_eq!(picture, drawn(endpoint.name(), &example.request), "{}", example.name);
            pictures.insert(picture);
        }
        assert_eq!(pictures.len(), endpoint.examples().len(), "different boards look different");
    }
}
