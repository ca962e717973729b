// ---- The drawing.

const {width, height, radius, router, side} = data;
const svg = make("svg", {viewBox: `0 0 ${width} ${height}`, role: "group",
                         "aria-label": `Drawing of ${data.network}`});
find("stage").append(svg);

function make(tag, attributes = {}, parent = null) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

function write(text, x, y, size, attributes, parent) {
  const element = make("text", {x, y: y + 0.36 * size, "font-size": size, ...attributes}, parent);
  element.textContent = text;
  return element;
}

const unit = ([x, y]) => { const length = Math.hypot(x, y) || 1; return [x / length, y / length]; };
const towards = (from, to) => unit([to[0] - from[0], to[1] - from[1]]);
const along = ([x, y], [dx, dy], by) => [x + dx * by, y + dy * by];
const right = ([dx, dy]) => [-dy, dx];  // to the right of that direction, with y downwards
const at = points => "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");

// The line of each direction of a lane: lines of a link are side by side, and a lane has another number at its other end
// where several channels join two nodes.
const lines = data.lanes.map(([low, high, place, of, ways]) => ({low, high, place, of, ways}));
const lineOf = new Map(lines.flatMap(line => line.ways.map(([node, number]) =>
  [`${node},${node === line.low ? line.high : line.low},${number}`, line])));
const bows = new Map(data.bows.map(([low, high, points]) => [`${low},${high}`, points]));
const most = Math.max(1, ...lines.map(({of}) => of));
const gap = Math.min(0.17 * radius, 24, 1.7 * router / most);  // between lanes
const stroke = Math.max(1.6, Math.min(4, 0.24 * gap));
// On a telephone the whole network is small, and so the numbers of processors take more of them, without a letter before.
const narrow = matchMedia("(max-width: 40rem)").matches;
const labelSize = narrow ? (P > 100 ? 0.5 : 0.68) * side : Math.min(Math.max(20, 0.0165 * Math.max(width, height)), (side > 0.038 * width ? 0.3 : 0.4) * side);
const small = P <= 16;  // room for labels on transfers

// The line at a distance to the right of the line through points.
function beside(points, distance) {
  const directions = points.slice(1).map((point, index) => towards(points[index], point));
  return points.map((point, index) => {
    const [a, b] = directions[Math.max(0, index - 1)], [c, d] = directions[Math.min(index, directions.length - 1)];
    return along(point, right(unit([a + c, b + d])), distance);
  });
}

// The points of a line from its lower node to its higher one, moved to the right by so much.
const points = ({low, high, place, of}, sideways = 0) =>
  beside(bows.get(`${low},${high}`) ?? [data.nodes[low], data.nodes[high]], (place - (of - 1) / 2) * gap + sideways);

// The points of a direction of a lane, on its right where the other direction can carry something in the same step.
function lane(from, to, number, sideways = 0) {
  const line = lineOf.get(`${from},${to},${number}`);
  const aside = data.halfDuplex || line.ways.length === 1 ? 0 : sideways;
  return from < to ? points(line, aside) : points(line, -aside).reverse();
}

// The point at a part of the length of a line, and the direction there.
function pointAt(line, part) {
  const lengths = line.slice(1).map(([x, y], index) => Math.hypot(x - line[index][0], y - line[index][1]));
  let left = part * lengths.reduce((sum, length) => sum + length, 0);
  for (const [index, length] of lengths.entries()) {
    const direction = towards(line[index], line[index + 1]);
    if (left <= length || index === lengths.length - 1) return [along(line[index], direction, left), direction];
    left -= length;
  }
}

const networkLayer = make("g", {"aria-hidden": "true"}, svg);
const trailLayer = make("g", {"aria-hidden": "true"}, svg);
const transferLayer = make("g", {id: "lit"}, svg);
const numberLayer = make("g", {"aria-hidden": "true"}, svg);
const processorLayer = make("g", {id: "processors"}, svg);
const pillLayer = make("g", {"aria-hidden": "true"}, svg);

const wire = (d, name = "lane") => make("path", {class: name, d, "stroke-width": stroke}, networkLayer);
for (const line of lines) {
  const working = line.ways.filter(([, , works]) => works), all = points(line);
  line.name = !working.length ? "lane failed" : working.length < line.ways.length ? "lane one-left" : "lane";
  wire(at(all), line.name).dataset.lane = `${line.low},${line.high},${line.place}`;
  line.heads = working.length === 1 && (working[0][0] === line.low ? all : all.toReversed());
}
const failedNodes = new Set(data.failedNodes), failedProcessors = new Set(data.failedProcessors);
const crossed = (x, y, half) => `M${x - half} ${y - half}L${x + half} ${y + half}M${x - half} ${y + half}L${x + half} ${y - half}`;
data.nodes.forEach(([cx, cy], node) =>
  make("circle", {class: failedNodes.has(node) ? "node failed" : "node", cx, cy, r: radius}, networkLayer));
for (const line of lines) {  // drawn again within the nodes that they join, over their background
  const all = points(line);
  for (const from of [all, all.toReversed()]) {
    const within = from.filter(([x, y]) => Math.hypot(x - from[0][0], y - from[0][1]) < radius);
    const last = within.at(-1), left = radius - Math.hypot(last[0] - from[0][0], last[1] - from[0][1]);
    wire(at([...within, along(last, towards(last, from[within.length]), left)]), line.name);
  }
  if (line.heads) {  // a lane of which one direction is left, or which has only one
    const [tip, direction] = pointAt(line.heads, 0.72);
    make("path", {class: `${line.name} end`, d: arrow(tip, direction, 2.5 * stroke + 4)}, networkLayer);
  }
  if (data.halfDuplex && line.name === "lane") {
    const [[x, y], [dx, dy]] = pointAt(all, 0.5), half = 1.5 * stroke + 2;
    const corners = [[dx, dy], [-0.6 * dy, 0.6 * dx], [-dx, -dy], [0.6 * dy, -0.6 * dx]];
    make("path", {class: "lozenge", d: at(corners.map(([a, b]) => [x + half * a, y + half * b])) + "Z"}, networkLayer);
  }
  if (line.name === "lane failed" && !failedNodes.has(line.low) && !failedNodes.has(line.high)) {
    const [[x, y]] = pointAt(all, 0.5);
    make("path", {class: "cross", d: crossed(x, y, 2 * stroke + 3)}, networkLayer);
  }
}
for (const node of failedNodes)
  make("path", {class: "cross", d: crossed(...data.nodes[node], 0.7 * radius)}, networkLayer);
data.processors.forEach((place, processor) => wire(at([place, data.nodes[nodeOf(processor)]]), "stub"));
data.nodes.forEach(([cx, cy], node) => {
  make("circle", {class: "router", cx, cy, r: router}, networkLayer);
  // The number is above transfers through the router; it is omitted if it would be too small to read.
  const size = Math.min(labelSize, 0.9 * router);
  if (size < 0.9 * labelSize) return;
  make("circle", {class: "router", cx, cy, r: 0.8 * size}, numberLayer);
  write(node, cx, cy, size, {class: "router-label"}, numberLayer);
});

// A processor is a square: its number in the colour of its own messages, below it a cell for each colour.
const head = narrow ? 0.7 * side : Math.min(labelSize * 1.35, 0.45 * side);
const keys = [...new Set(messages.map(keyOf))].sort((a, b) => a - b);
const cellOf = new Map(keys.map((key, index) => [key, index]));
const cells = keys.length <= 64;  // more colours could not be distinguished, so a bar is drawn
const inset = Math.max(1, 0.04 * side), roomX = side - 2 * inset, roomY = side - head - 2 * inset;
const columns = cells ? Math.min(keys.length, Math.ceil(Math.sqrt(keys.length * roomX / roomY))) : 1;
const rows = Math.ceil((cells ? keys.length : 1) / columns);
const cellX = roomX / columns, cellY = roomY / rows;
const countSize = Math.min(0.75 * cellY, cellX / (P > 9 ? 1.3 : 0.8), 22);
const counts = cells && countSize >= 11;

const drawn = data.processors.map(([x, y], processor) => {
  const left = x - side / 2, top = y - side / 2;
  const group = make("g", {class: failedProcessors.has(processor) ? "processor failed" : "processor", tabindex: 0, role: "button", "data-processor": processor},
                     processorLayer);
  make("rect", {class: "ring", x: left - 4, y: top - 4, width: side + 8, height: side + 8, rx: 8}, group);
  make("rect", {class: "box", x: left, y: top, width: side, height: side, rx: 4,
                "stroke-width": Math.max(1.5, side / 30)}, group);
  make("rect", {x: left + inset, y: top + inset, width: roomX, height: head - inset, rx: 2,
                fill: colour(processor)}, group);
  write(narrow || P > 100 ? processor : `P${processor}`, x, top + (head + inset) / 2, labelSize, {class: "label"}, group);
  const grid = range(cells ? keys.length : 1).map(index => {
    const boxX = left + inset + index % columns * cellX;
    const boxY = top + head + inset + Math.floor(index / columns) * cellY;
    const space = Math.min(1, cellX / 8, cellY / 8);
    const shape = {x: boxX + space / 2, y: boxY + space / 2, width: cellX - space, height: cellY - space};
    make("rect", {class: "empty", ...shape}, group);
    const fill = make("rect", {class: "cell", ...shape, fill: cells ? colour(keys[index]) : "var(--done)", opacity: 0,
                               ...(cells ? {"data-key": keys[index]} : {})}, group);
    const text = counts ? write("", boxX + cellX / 2, boxY + cellY / 2, countSize, {class: "count"}, group) : null;
    return {fill, text, shape};
  });
  if (failedProcessors.has(processor)) make("path", {class: "cross", d: crossed(x, y, 0.4 * side)}, group);
  return {group, grid};
});

function drawProcessor(processor, step, arrived) {
  const {group, grid} = drawn[processor];
  const has = progress(processor), sends = sent[processor].length, gets = received[processor].length;
  group.classList.toggle("done", finals[processor] > 0 && has === finals[processor]);
  group.classList.toggle("pinned", processor === pinned);
  group.classList.toggle("has", chosen !== null && held[processor].has(chosen.number));
  group.setAttribute("aria-label", `Processor ${processor} on node ${nodeOf(processor)}` +
    `${failedProcessors.has(processor) ? ", which has failed" : ""}: holds ` +
    `${many(held[processor].size, "message")}, sends ${sends} and receives ${gets} in step ${step}`);
  if (!cells) {
    grid[0].fill.setAttribute("width", grid[0].shape.width * has / Math.max(1, finals[processor]));
    grid[0].fill.setAttribute("opacity", 1);
    return;
  }
  const shown = grid.map(() => ({level: 0, text: "", fresh: false}));
  for (const [number, count] of held[processor]) {
    const one = messages[number], cell = shown[cellOf.get(keyOf(one))];
    const level = one.partial ? 0.2 + 0.8 * count / sources.length : wanted(processor, one) ? 1 : 0.35;
    if (level >= cell.level) { cell.level = level; cell.text = one.partial ? count : summed ? "Σ" : keyOf(one); }
    if (arrived.has(number)) cell.fresh = true;
  }
  shown.forEach(({level, text, fresh}, index) => {
    grid[index].fill.setAttribute("opacity", level);
    grid[index].fill.classList.toggle("fresh", fresh && counts);
    if (counts) {
      grid[index].text.textContent = text;
      grid[index].text.style.fill = level < 0.6 ? "var(--ink)" : "";
    }
  });
}

// The path of a transfer, from its sender through the routers to the edge of its receiver. Transfers that a processor
// sends and receives in one step are side by side between it and its router: `leaves` and `enters` are their distances
// from the middle.
function way({src, dst, lane: number, path, leaves, enters}, sideways = 0.24 * gap) {
  const [here, there] = [src, dst].map(nodeOf);
  const straight = towards(data.processors[src], data.processors[dst]);
  const hops = here === there ? [] : (path.length ? path : [[there, number]]).map(([node, taken], index) =>
    lane(index ? path[index - 1][0] : here, node, taken, sideways));
  const middle = hops.length ? hops.flat() : [along(data.nodes[here], right(straight), 0.3 * router)];
  const across = processor => right(towards(data.processors[processor], data.nodes[nodeOf(processor)]));
  const from = along(data.processors[src], across(src), leaves), to = along(data.processors[dst], across(dst), enters);
  // The path ends where it enters the receiver's square.
  const final = towards(middle.at(-1), to), [x, y] = data.processors[dst];
  const back = Math.min((0.5 * side + Math.sign(final[0]) * (to[0] - x)) / Math.max(1e-6, Math.abs(final[0])),
                        (0.5 * side + Math.sign(final[1]) * (to[1] - y)) / Math.max(1e-6, Math.abs(final[1])));
  return {points: [from, ...middle, along(to, final, -back)], final, hops};
}

// Set `leaves` and `enters` of the transfers of a step; copies of a message leave as one, and so does a packet.
function spread(processor) {
  const leaving = [...new Set(sent[processor].map(({packet}) => packet[0].message))];
  const entering = [...new Set(received[processor].map(({packet}) => packet))];
  const most = leaving.length + entering.length;
  const offset = index => (index - (most - 1) / 2) * Math.min(2.6 * stroke, 0.9 * side / most);
  for (const one of sent[processor]) one.leaves = offset(leaving.indexOf(one.packet[0].message));
  for (const one of received[processor]) one.enters = offset(leaving.length + entering.indexOf(one.packet));
}

function arrow([x, y], direction, size) {
  const across = right(direction), back = along([x, y], direction, -size);
  return at([[x, y], along(back, across, size / 2), along(back, across, -size / 2)]) + "Z";
}

function drawTransfers(transfers) {
  transferLayer.replaceChildren();
  pillLayer.replaceChildren();
  const tip = Math.max(3 * stroke, 0.1 * side), labels = [];
  for (const one of transfers) {
    const {points, final, hops} = way(one), fill = colour(keyOf(one.message)), title = sentence(one);
    const group = make("g", {class: "transfer", role: "img", "aria-label": title, "data-src": one.src,
                             "data-dst": one.dst}, transferLayer);
    group.classList.toggle("chosen", one.message === chosen);
    make("title", {}, group).textContent = title;
    make("path", {class: "touch", d: at(points)}, group);
    // An edge in the colour of the page keeps pale colours visible and neighbours apart.
    make("path", {class: "edge", d: at(points), pathLength: 1, "stroke-width": 1.5 * stroke + 1.5}, group);
    make("path", {class: "flow", d: at(points), pathLength: 1, stroke: fill, "stroke-width": 1.5 * stroke}, group);
    make("path", {class: "head", d: arrow(points.at(-1), final, tip), fill}, group);
    group.addEventListener("click", () => follow(one.message));
    for (const hop of hops) {
      const [middle, direction] = pointAt(hop, 0.5);
      make("path", {class: "head", d: arrow(along(middle, direction, tip), direction, 1.5 * tip), fill}, group);
    }
    if (!hops.length || !small || one !== one.packet[0]) continue;
    // A label is nearer to the sender, so that both directions have room; labels of neighbouring lanes are staggered.
    const length = hops[0].slice(1).reduce((sum, [x, y], index) => sum + Math.hypot(x - hops[0][index][0], y - hops[0][index][1]), 0);
    const [[x, y]] = pointAt(hops[0], (radius + (length - 2 * radius) * (0.18 + 0.16 * ((one.lane ?? one.path[0][1]) % 2))) / length);
    const others = one.packet.length - 1, has = one.packet.some(({message}) => message === chosen);
    const text = name(has ? chosen : one.message) + (others ? ` +${others}` : "");
    const size = 12 * scale(), wide = size * (0.62 * text.length + 0.6);
    // Where there is no room, colours alone tell messages apart, and the table has all transfers.
    if (!has && labels.some(([left, up, long]) => Math.abs(left - x) < (long + wide) / 2 && Math.abs(up - y) < 1.4 * size)) continue;
    labels.push([x, y, wide]);
    const pill = make("g", {class: "pill"}, pillLayer);
    pill.style.opacity = chosen && !has ? 0.13 : 1;
    make("rect", {x: x - wide / 2, y: y - 0.7 * size, width: wide, height: 1.4 * size, rx: 0.5 * size, fill}, pill);
    write(text, x, y, size, {}, pill);
  }
}

function sentence({src, dst, message, lane, path, step}) {
  const over = path.length ? `from node ${nodeOf(src)} to node ${path.map(([node, taken]) => `${node} over lane ${taken}`)
      .join(", to node ")}`
    : lane === null ? `within node ${nodeOf(src)}`
    : `from node ${nodeOf(src)} to node ${nodeOf(dst)} over lane ${lane}`;
  return `Step ${step}: processor ${src} sends ${name(message)} to processor ${dst}, ${over}`;
}
