//! The plots of `docs/performance.md`, drawn from the tables that stand there, which
//! are the benches' own output. So a plot never shows other figures than its table.

use super::chart::{Axis, Row, Series, Words, lines, marks};

/// Every plot: the name of its file in `docs/plots/`, and the picture.
pub(crate) fn all(page: &str) -> Vec<(&'static str, String)> {
    vec![
        ("throughput.svg", throughput(page)),
        ("goodput.svg", goodput(page)),
        ("linkgame.svg", linkgame(page)),
        ("tetris-sg.svg", tetris_sg(page)),
        ("rook-circuit.svg", rook_circuit(page)),
    ]
}

fn throughput(page: &str) -> String {
    let table = Table::below(page, "### Requests a second");
    let points = table.rows().map(|row| {
        (row.text("server"), (row.number("connections"), row.number("requests a second")))
    });
    let series = grouped(points);
    let greatest = greatest(&series);
    let words = Words {
        heading: "Requests a second on the cheapest solve",
        description: "Lines over 1, 16, 64 and 256 kept connections: the service on distinct \
                      boards and on one board again and again, a plain axum handler with the same \
                      solver, and a bare echo. The figures are those of the table beside it.",
        note: "Client and server share two cores. More is better.".into(),
    };
    let along = Axis::of_values("connections that ask at once", &abscissae(&series));
    lines(&words, &along, &Axis::linear("requests a second", greatest), &series)
}

fn goodput(page: &str) -> String {
    let table = Table::below(page, "### Goodput");
    let of = |name: &str, column: &str| Series {
        name: name.to_owned(),
        points: table
            .rows()
            .map(|row| (row.number("offered a second"), row.number(column)))
            .collect(),
    };
    let mut series = vec![of("answered", "answered a second"), of("offered", "offered a second")];
    // What is offered leaves the paper soon: only as far as twice the capacity.
    let greatest = 2.0 * series[0].points[0].1;
    series[1].points.retain(|point| point.1 <= greatest * 1.01);
    let words = Words {
        heading: "Goodput of solves of 100 ms under overload",
        description: "What is answered a second over what is offered a second, at one, two and \
                      ten times the capacity: it stays level. The figures are those of the table \
                      beside it.",
        note: "Two places; what is not answered is refused at once or after its wait.".into(),
    };
    let along = Axis::of_values("solves offered a second", &abscissae(&series[..1]));
    lines(&words, &along, &Axis::linear("solves a second", greatest), &series)
}

fn linkgame(page: &str) -> String {
    let table = Table::below(page, "## linkgame");
    let rows = table.rows().map(|row| Row {
        name: format!(
            "{}, {}, {}",
            row.text("family"),
            row.text("size, kinds"),
            if row.text("outside") == "true" { "outside" } else { "inside" }
        ),
        values: ["p50 ms", "p95 ms", "max ms"].map(|column| Some(row.number(column))).to_vec(),
    });
    let words = Words {
        heading: "linkgame: processor time of one solve, by family",
        description: "A row a family of boards with its median, 95th percentile and maximum in \
                      milliseconds, on a logarithmic axis. The figures are those of the table \
                      beside it.",
        note: "Family, rows × columns, kinds of tile, and whether paths may leave the board."
            .into(),
    };
    chart_of_marks(
        &words,
        "milliseconds, logarithmic",
        &["median", "95 %", "maximum"],
        &rows.collect::<Vec<_>>(),
    )
}

fn tetris_sg(page: &str) -> String {
    let table = Table::below(page, "## tetris-sg");
    let rows = table.rows().map(|row| Row {
        name: row.text("family").to_owned(),
        values: ["p50 ms", "p95 ms", "max ms"].map(|column| Some(row.number(column))).to_vec(),
    });
    let words = Words {
        heading: "tetris-sg: processor time of one solve, by board",
        description: "A row a family of boards or a single board, with its median, 95th percentile \
                      and maximum in milliseconds, on a logarithmic axis. The figures are those of \
                      the table beside it.",
        note: "The table that solves share is emptied before every board.".into(),
    };
    chart_of_marks(
        &words,
        "milliseconds, logarithmic",
        &["median", "95 %", "maximum"],
        &rows.collect::<Vec<_>>(),
    )
}

fn rook_circuit(page: &str) -> String {
    let table = Table::below(page, "## rook-circuit");
    let mut series = Vec::new();
    let columns = [
        ("boardsolve, median", "p50 ms"),
        ("boardsolve, maximum", "max ms"),
        ("contest's program, median", "contest's program: p50 / max ms, over 1 s, wrong"),
        ("CP-SAT, median", "CP-SAT: p50 / max ms, over 1 s, wrong"),
    ];
    for (name, column) in columns {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for row in table.rows() {
            // `planted 10, 3 %`: a row a density, of which the slowest counts.
            let family = row.text("family").strip_prefix("planted ");
            let side = family.and_then(|family| family.split(',').next()?.parse().ok());
            let (Some(side), Some(value)) = (side, row.first_number(column)) else { continue };
            match points.iter_mut().find(|point| point.0 == side) {
                Some(point) => point.1 = point.1.max(value),
                None => points.push((side, value)),
            }
        }
        series.push(Series { name: name.to_owned(), points });
    }
    let words = Words {
        heading: "rook-circuit: time of one solve by the board's side, beside others",
        description: "Lines over boards of 10 to 500 cells a side with a planted tour, in \
                      milliseconds, both axes logarithmic: the service's median and maximum, the \
                      contest's program and CP-SAT, which were stopped at a second. The figures \
                      are those of the table beside it.",
        note: "Planted tours, the slowest density. The others were stopped at 1000 ms, and ran up \
               to a side of 100."
            .into(),
    };
    let values = series.iter().flat_map(|series| &series.points).map(|point| point.1);
    let (least, greatest) =
        values.fold((f64::MAX, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    let along = Axis::of_values("side of the board, cells", &abscissae(&series));
    lines(&words, &along, &Axis::logarithmic("milliseconds", least, greatest), &series)
}

fn chart_of_marks(words: &Words, title: &'static str, kinds: &[&str], rows: &[Row]) -> String {
    let values = rows.iter().flat_map(|row| row.values.iter().flatten().copied());
    let (least, greatest) = values
        .filter(|&value| value > 0.0)
        .fold((f64::MAX, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    marks(words, &Axis::logarithmic(title, least, greatest), kinds, rows)
}

/// Points by their name, in the order of their first one.
fn grouped<'a>(points: impl Iterator<Item = (&'a str, (f64, f64))>) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for (name, point) in points {
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name: name.to_owned(), points: vec![point] }),
        }
    }
    series
}

fn abscissae(series: &[Series]) -> Vec<f64> {
    let mut values: Vec<f64> =
        series.iter().flat_map(|series| series.points.iter().map(|point| point.0)).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

fn greatest(series: &[Series]) -> f64 {
    series.iter().flat_map(|series| &series.points).map(|point| point.1).fold(0.0, f64::max)
}

/// A Markdown table.
struct Table<'a> {
    columns: Vec<&'a str>,
    rows: Vec<Vec<&'a str>>,
}

/// A row of a table.
struct TableRow<'a, 'b> {
    table: &'b Table<'a>,
    cells: &'b [&'a str],
}

impl<'a> Table<'a> {
    /// The first table below the heading that begins so.
    fn below(page: &'a str, heading: &str) -> Self {
        let mut lines = page
            .lines()
            .skip_while(|line| !line.starts_with(heading))
            .skip_while(|line| !line.starts_with('|'))
            .take_while(|line| line.starts_with('|'))
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
        let columns = lines.next().unwrap_or_else(|| panic!("no table below `{heading}`"));
        Self { columns, rows: lines.skip(1).collect() }
    }

    fn rows<'b>(&'b self) -> impl Iterator<Item = TableRow<'a, 'b>> {
        self.rows.iter().map(move |cells| TableRow { table: self, cells })
    }
}

impl<'a> TableRow<'a, '_> {
    fn text(&self, column: &str) -> &'a str {
        let index = self.table.columns.iter().position(|name| *name == column);
        index
            .and_then(|index| self.cells.get(index).copied())
            .unwrap_or_else(|| panic!("no `{column}`"))
    }

    fn number(&self, column: &str) -> f64 {
        let text = self.text(column);
        text.parse().unwrap_or_else(|_| panic!("`{column}` holds `{text}`"))
    }

    /// The first number of `3`, `3 / 40` or `3 / 40, 2, 0`; nothing where there is a dash alone.
    fn first_number(&self, column: &str) -> Option<f64> {
        self.text(column).split([' ', ',']).next()?.parse().ok()
    }
}
