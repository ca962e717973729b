"use strict";
const figures = JSON.parse(document.getElementById("figure-data").textContent);

// The part of a trace that stands for rows of the table that are shown, or for none that it has.
function partOf(trace, rows, shown) {
  const kept = rows.flatMap((ofPoint, index) => !ofPoint.length || ofPoint.some(row => shown.has(row)) ? [index] : []);
  const part = values => kept.map(index => values[index]);
  const { x, y, text, error_y: spread } = trace;
  return { ...trace, x: part(x), y: part(y), text: part(text),
    ...(spread && { error_y: { ...spread, array: part(spread.array), arrayminus: part(spread.arrayminus) } }) };
}

// All figures; with a set of rows of the table, only the points that stand for one of them.
function drawFigures(shown = null) {
  for (const { name, traces, rows, layout } of figures) {
    const named = new Set();
    const drawn = traces.map((trace, index) => {
      const part = shown ? partOf(trace, rows[index], shown) : trace;
      const showlegend = part.x.length > 0 && !named.has(part.name);
      if (showlegend) named.add(part.name);
      return { ...part, showlegend };
    });
    // Plotly writes into the layout that it is given.
    Plotly.react(`figure-${name}`, drawn, structuredClone(layout), { responsive: true, displaylogo: false });
  }
}
