//! Which form a body has and which form its answer takes: `Content-Type` and
//! `Accept` (RFC 9110, sections 8.3 and 12.5.1).

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use mime::Mime;

use crate::http::problem::{Code, Problem};

/// The form of a request body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyForm {
    /// One JSON request.
    Json,
    /// The contest's own input: one case or several.
    Text,
    /// JSON requests, one a line.
    Ndjson,
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerForm {
    /// A JSON object, or an array of them for a text body.
    Json,
    /// The contest's own output.
    Text,
    /// JSON answers, one a line.
    Ndjson,
    /// A picture of one board with its answer.
    Svg,
}

impl BodyForm {
    /// The media types that a body may have.
    pub const MEDIA_TYPES: [&str; 3] = ["application/json", "text/plain", "application/x-ndjson"];

    /// The form that `Content-Type` names. JSON is also assumed where the
    /// header is absent or is what `curl -d` sends.
    ///
    /// # Errors
    /// `unsupported_media_type`.
    pub fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let Some(value) = headers.get(CONTENT_TYPE) else { return Ok(Self::Json) };
        let text = String::from_utf8_lossy(value.as_bytes());
        let refused = |why: &str| {
            let detail = format!(
                "{why}. Bodies are {} in UTF-8; without a Content-Type, JSON is assumed.",
                Self::MEDIA_TYPES.join(" or ")
            );
            Problem::new(Code::UnsupportedMediaType, detail)
        };
        let Ok(media_type) = text.parse::<Mime>() else {
            return Err(refused("The Content-Type is not a media type"));
        };
        if let Some(charset) = media_type.get_param(mime::CHARSET)
            && charset != mime::UTF_8
            && !charset.as_str().eq_ignore_ascii_case("us-ascii")
        {
            return Err(refused(&format!("The charset `{charset}` is not read here")));
        }
        match media_type.essence_str() {
            "application/json" | "application/x-www-form-urlencoded" => Ok(Self::Json),
            "text/plain" => Ok(Self::Text),
            "application/x-ndjson" => Ok(Self::Ndjson),
            other => Err(refused(&format!("The Content-Type `{other}` is not read here"))),
        }
    }

    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Text => "text/plain",
            Self::Ndjson => "application/x-ndjson",
        }
    }

    /// The answer's form when the caller has no preference.
    pub const fn default_answer(self) -> AnswerForm {
        match self {
            Self::Json => AnswerForm::Json,
            Self::Text => AnswerForm::Text,
            Self::Ndjson => AnswerForm::Ndjson,
        }
    }
}

impl AnswerForm {
    /// All forms.
    pub const ALL: [Self; 4] = [Self::Json, Self::Text, Self::Svg, Self::Ndjson];

    /// The media type, without parameters.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Text => "text/plain",
            Self::Ndjson => "application/x-ndjson",
            Self::Svg => "image/svg+xml",
        }
    }

    /// The `Content-Type` of an answer.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Text => "text/plain; charset=utf-8",
            Self::Svg => "image/svg+xml",
            Self::Ndjson => "application/x-ndjson",
        }
    }

    /// The forms that can be had where this one is the default: answers to a body of
    /// many lines are lines, too.
    const fn offers(self) -> &'static [Self] {
        match self {
            Self::Ndjson => &[Self::Ndjson],
            _ => &Self::ALL,
        }
    }

    /// The form that `Accept` asks for: the one of the highest quality, and
    /// among equals `default` before the others.
    ///
    /// # Errors
    /// `not_acceptable` when none can be produced.
    pub fn of(headers: &HeaderMap, default: Self) -> Result<Self, Problem> {
        let ranges = accepted_ranges(headers);
        if ranges.is_empty() && headers.get_all(ACCEPT).iter().all(|value| value.is_empty()) {
            return Ok(default);
        }
        let mut best = (0, default);
        for form in [&default].into_iter().chain(default.offers()) {
            let quality = quality(&ranges, form.media_type());
            if quality > best.0 {
                best = (quality, *form);
            }
        }
        if best.0 > 0 {
            return Ok(best.1);
        }
        let offers: Vec<_> = default.offers().iter().map(|form| form.media_type()).collect();
        Err(Problem::new(
            Code::NotAcceptable,
            format!(
                "The answer can be {}; the Accept header takes nothing of that.",
                offers.join(", ")
            ),
        ))
    }
}

/// One media range and its quality in thousandths.
struct Range {
    range: Mime,
    quality: u16,
}

/// The media ranges of all `Accept` headers; those that can't be read are left out.
fn accepted_ranges(headers: &HeaderMap) -> Vec<Range> {
    let mut ranges = Vec::new();
    for value in headers.get_all(ACCEPT) {
        let text = String::from_utf8_lossy(value.as_bytes());
        for item in text.split(',') {
            let Ok(range) = item.trim().parse::<Mime>() else { continue };
            let quality = match range.get_param("q") {
                None => 1000,
                Some(number) => match number.as_str().parse::<f32>() {
                    Ok(number) if (0.0..=1.0).contains(&number) => (number * 1000.0) as u16,
                    _ => continue,
                },
            };
            ranges.push(Range { range, quality });
        }
    }
    ranges
}

/// The quality that the most specific matching range gives `media_type`; 0 where none matches.
fn quality(ranges: &[Range], media_type: &str) -> u16 {
    let kind = media_type.split('/').next().unwrap_or(media_type);
    ranges
        .iter()
        .filter_map(|Range { range, quality }| {
            // The whole name: to the crate, the subtype of `image/svg+xml` is `svg`.
            let specificity = match (range.type_().as_str(), range.subtype().as_str()) {
                ("*", "*") => 1,
                (range_kind, "*") if range_kind == kind => 2,
                _ if range.essence_str() == media_type => 3,
                _ => return None,
            };
            Some((specificity, *quality))
        })
        .max()
        .map_or(0, |(_, quality)| quality)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(accept: &str, default: AnswerForm) -> Option<AnswerForm> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, accept.parse().unwrap());
        AnswerForm::of(&headers, default).ok()
    }

    #[test]
    fn the_highest_quality_wins_and_the_default_breaks_ties() {
        use AnswerForm::{Json, Svg, Text};
        assert_eq!(AnswerForm::of(&HeaderMap::new(), Text).ok(), Some(Text));
        assert_eq!(answer("", Text), Some(Text));
        assert_eq!(answer("*/*", Text), Some(Text));
        assert_eq!(answer("text/html, */*;q=0.8", Json), Some(Json));
        assert_eq!(answer("text/plain", Json), Some(Text));
        assert_eq!(answer("text/*;q=0.5, application/json;q=0.4", Json), Some(Text));
        assert_eq!(answer("application/json;q=0, */*", Json), Some(Text));
        assert_eq!(answer("Application/JSON; charset=utf-8", Text), Some(Json));
        assert_eq!(answer("image/svg+xml, */*;q=0.1", Text), Some(Svg));
        assert_eq!(answer("image/*", Json), Some(Svg));
        assert_eq!(answer("application/json;q=0.001", Text), Some(Json));
        assert_eq!(answer("application/json;q=1.5, text/plain;q=0.1", Json), Some(Text));
        assert_eq!(answer("text/plain;q=high, application/json;q=0.1", Text), Some(Json));
    }

    #[test]
    fn lines_are_answered_in_lines_alone() {
        use AnswerForm::{Json, Ndjson, Text};
        assert_eq!(answer("application/x-ndjson", Json), Some(Ndjson));
        assert_eq!(answer("application/x-ndjson", Text), Some(Ndjson));
        assert_eq!(answer("application/*", Ndjson), Some(Ndjson));
        assert_eq!(answer("application/json, text/plain", Ndjson), None);
    }

    #[test]
    fn a_header_that_takes_nothing_we_make_is_refused() {
        assert_eq!(answer("image/png", AnswerForm::Json), None);
        assert_eq!(answer("application/json;q=0", AnswerForm::Json), None);
        assert_eq!(answer("nonsense", AnswerForm::Json), None);
    }
}
