const data = JSON.parse(document.getElementById("data").textContent);
const P = data.processors.length, steps = data.steps.length;
const find = id => document.getElementById(id);
const range = length => Array.from({length}, (_, i) => i);
const nodeOf = processor => data.nodeOf[processor];
const many = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

// ---- Messages: [origin, destination, part]; without an origin a partial sum, without a destination for all.

const messages = [], numbers = new Map();

function message(origin, destination, part) {
  const key = `${origin},${destination},${part}`;
  if (!numbers.has(key)) {
    numbers.set(key, messages.length);
    messages.push({number: messages.length, origin, destination, part, partial: origin === null});
  }
  return numbers.get(key);
}

const everybody = range(P), parts = range(data.parts), nobody = [null], root = [data.root];
const {sources, targets} = data, isTarget = new Set(targets);
const ends = {
  "OAB": [[root, nobody]], "OAS": [[root, targets]], "AOG": [[sources, root]], "AOR": [[nobody, root]],
  "AAB": [[sources, nobody]], "AAR": [[nobody, targets]], "AAS": [[sources, targets]],
  "all-reduce": [[nobody, targets], [sources, nobody]],
}[data.collective];
for (const [origins, destinations] of ends)
  for (const origin of origins) for (const destination of destinations)
    if (origin !== destination) for (const part of parts) message(origin, destination, part);

// A direct transfer over several links has a path, [[node, lane], ...], and no lane.
const schedule = data.steps.map((transfers, index) => transfers.map(
  ([src, dst, origin, destination, part, lane, path = []]) =>
    ({step: index + 1, src, dst, message: messages[message(origin, destination, part)], lane, path, leaves: 0, enters: 0})));
// Messages over the same lanes in one step to one processor are a packet; the first one represents it.
for (const transfers of schedule) {
  const packets = new Map();
  for (const one of transfers) {
    const place = one.lane === null && !one.path.length ? one : `${one.src},${one.dst},${one.lane},${one.path}`;
    if (!packets.has(place)) packets.set(place, []);
    one.packet = packets.get(place);
    one.packet.push(one);
  }
}
const summed = data.collective === "all-reduce";
const reduces = messages.some(({partial}) => partial);

const partOf = ({part}) => data.parts > 1 ? `.${part}` : "";

function name({origin, destination, part, partial}) {
  const what = partial ? "Σ" : summed ? `Σ${origin}` : origin;
  return `${what}→${destination === null ? "all" : destination}${partOf({part})}`;
}

// The key that distinguishes messages: the origin, or, if all have the same origin or none, the destination or part.
const keyed = data.collective === "OAS" ? "destination" : data.collective === "OAB" && data.parts > 1 ? "part" : "origin";
const keyOf = one => one.partial ? one.destination : one[keyed];
const hue = key => Math.round(360 * key / (keyed === "part" ? data.parts : P) + 25) % 360;
const colour = key => `oklch(${[0.8, 0.68, 0.74][key % 3]} 0.14 ${hue(key)})`;

// ---- Messages held: for each processor a map from message number to contributions (1 except for partial sums).

function beginning() {
  const held = everybody.map(() => new Map());
  for (const {number, origin, partial} of messages)
    if (partial) for (const source of sources) held[source].set(number, 1);
    else if (!summed) held[origin].set(number, 1);
  return held;
}

function advance(held, transfers) {
  // A step moves messages that were held before it; messages that arrive are held after it.
  const amounts = transfers.map(({src, message}) => held[src].get(message.number) ?? 0);
  for (const {src, message} of transfers) if (message.partial) held[src].delete(message.number);
  transfers.forEach(({dst, message}, i) => {
    const before = message.partial ? held[dst].get(message.number) ?? 0 : 0;
    if (before + amounts[i]) held[dst].set(message.number, before + amounts[i]);
    if (summed && message.partial && before + amounts[i] === sources.length && dst === message.destination)
      // The sum is complete: from now on it is a message for all.
      held[dst].set(numbers.get(`${dst},null,${message.part}`), 1);
  });
}

let reached = 0, held = beginning();

function heldAfter(step) {
  if (step < reached) { reached = 0; held = beginning(); }
  while (reached < step) advance(held, schedule[reached++]);
  return held;
}

const wanted = (processor, {destination, partial}) =>
  destination === processor || (destination === null && !partial && isTarget.has(processor));
const finals = everybody.map(() => 0);  // number of messages that a processor must hold in the end
for (const {origin, destination, partial} of messages)
  if (destination === null) targets.forEach(processor => finals[processor]++);
  else if (!(summed && partial)) finals[destination]++;
const complete = ({partial}, count) => !partial || count === sources.length;

function progress(processor) {
  let has = 0;
  for (const [number, count] of held[processor]) {
    const one = messages[number];
    if (wanted(processor, one) && complete(one, count) && !(summed && one.partial)) has++;
  }
  return has;
}
