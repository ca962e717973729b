// The nodes of a machine and the lanes between them. Verilog calls fatcube_cycle at every rising edge; Python makes
// the nodes, and reads and writes their memories where they lie.
//
// Inputs of all nodes come in words of 32 bits, one for each name that fatcube_make is given, and outputs go out in two
// words each: whether it is 1 at all nodes, and at any.
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "harness.h"
#include "svdpi.h"
#include "verilated.h"
#include "verilated_syms.h"

namespace {

struct Wire {  // one lane, one way; `out` is an output of a node, `in` an input of the one at the other end
    Port payload_out, payload_in;
    CData *valid_out, *valid_in, *back_out, *back_in;
    CData *answer_out, *answer_in;  // null without circuits
};

struct Lane {  // what stands in a lane: its part, and how its ports and those of the nodes at its ends are joined
    std::unique_ptr<Part> part;
    std::vector<std::pair<Port, Port>> in, out;  // from, to
};

struct Memory {  // one that Python fills and reads
    void* data;
    std::vector<uint8_t> first;  // its content at first
};

struct Network {
    std::vector<std::unique_ptr<Part>> nodes;
    std::vector<Wire> wires;
    std::vector<Lane> lanes;
    std::vector<std::vector<Port>> inputs;  // by name, then by node; empty if nodes have none of that name
    std::vector<std::vector<CData*>> outputs;
    std::vector<Memory> memories;
};

Network& network = *new Network;  // never taken down: at exit, Verilator is gone before it

CData* bit(Part& node, const std::string& name) { return static_cast<CData*>(node.ports.at(name).data); }

#if VM_TRACE
struct Waves {
    VerilatedVcdC file;
    std::vector<Part*> nodes;
    uint64_t time = 0;
};

Waves* waves = nullptr;

// Write the cycle that the next rising edge ends, with all that came in during it. A cycle takes 2 ns.
void write_waves() {
    for (const CData clock : {CData{1}, CData{0}}) {
        for (Part* node : waves->nodes) {
            node->eval();  // with the clock low; without it nothing would be written
            *static_cast<CData*>(node->ports.at("clk").data) = clock;
        }
        waves->file.dump(waves->time++);
        for (Part* node : waves->nodes) *static_cast<CData*>(node->ports.at("clk").data) = 0;
    }
}
#endif

void cross(const Wire& wire) {
    std::memcpy(wire.payload_in.data, wire.payload_out.data, wire.payload_out.bytes);
    *wire.valid_in = *wire.valid_out;
    *wire.back_in = *wire.back_out;
    if (wire.answer_in) *wire.answer_in = *wire.answer_out;
}

void copy(const std::vector<std::pair<Port, Port>>& ports) {
    for (const auto& [from, to] : ports) std::memcpy(to.data, from.data, to.bytes);
}

std::vector<std::string> names_in(const char* text) {
    std::istringstream stream{text};
    std::vector<std::string> names;
    for (std::string name; stream >> name;) names.push_back(name);
    return names;
}

}  // namespace

std::map<std::string, Maker>& makers() {
    static std::map<std::string, Maker>& all = *new std::map<std::string, Maker>;
    return all;
}

extern "C" {

// Make the nodes, and what stands in lanes. `leads_to` has for each node, channel and lane the input that it leads to by
// wires, as the same kind of number, or -1 if none. `parts` names what stands in other lanes, and `ends` has three numbers
// for each: its first and its second end, as the same kind of number, and whether it goes from the first to the second only.
void fatcube_make(int nodes, int channels, int lanes, const int* leads_to, const char* parts, const int* ends,
                  const char* inputs, const char* outputs) {
    VerilatedContext* const context = Verilated::threadContextp();
    for (int number = 0; number < nodes; ++number) {
        network.nodes.push_back(makers().at("node")(context, ("node" + std::to_string(number)).c_str()));
    }
    const auto stream = [&](int lane, const std::string& way) {
        const int channel = lane / lanes % channels;
        return "channel" + std::to_string(channel) + "_lane" + std::to_string(lane % lanes) + "_" + way + "__";
    };
    const char* const back = network.nodes[0]->ports.count("channel0_lane0_in__credit") ? "credit" : "ready";
    const bool answers = network.nodes[0]->ports.count("channel0_lane0_in__answer");
    for (int from = 0; from < nodes * channels * lanes; ++from) {
        const int to = leads_to[from];
        if (to < 0) continue;  // nothing comes in there, and what goes out there the node takes by itself
        Part& source = *network.nodes[from / lanes / channels];
        Part& sink = *network.nodes[to / lanes / channels];
        const std::string out = stream(from, "out"), in = stream(to, "in");
        network.wires.push_back(Wire{
            source.ports.at(out + "payload"), sink.ports.at(in + "payload"), bit(source, out + "valid"),
            bit(sink, in + "valid"), bit(sink, in + back), bit(source, out + back),
            answers ? bit(sink, in + "answer") : nullptr, answers ? bit(source, out + "answer") : nullptr});
    }
    for (const std::string& name : names_in(parts)) {
        const std::string own = "lane" + std::to_string(network.lanes.size());
        network.lanes.push_back(Lane{makers().at(name)(context, own.c_str()), {}, {}});
        Lane& lane = network.lanes.back();
        const int* const at = ends + 3 * (network.lanes.size() - 1);
        for (const auto& [port_name, port] : lane.part->ports) {
            if (port_name.compare(0, 3, "end") != 0) continue;
            const int end = port_name[3] - '0';
            const size_t way = 5, signal = port_name.find("__");
            const std::string direction = port_name.substr(way, signal - way);
            if (at[2] && (end == 0) != (direction == "out")) continue;
            Part& node = *network.nodes[at[end] / lanes / channels];
            const Port other = node.ports.at(stream(at[end], direction) + port_name.substr(signal + 2));
            if (port.output) {
                lane.out.emplace_back(port, other);
            } else {
                lane.in.emplace_back(other, port);
            }
        }
    }
    for (const std::string& name : names_in(inputs)) {
        network.inputs.emplace_back();
        for (auto& node : network.nodes) {
            if (node->ports.count(name)) network.inputs.back().push_back(node->ports.at(name));
        }
        for (Lane& lane : network.lanes) {
            if (lane.part->ports.count(name)) network.inputs.back().push_back(lane.part->ports.at(name));
        }
    }
    for (const std::string& name : names_in(outputs)) {
        network.outputs.emplace_back();
        for (auto& node : network.nodes) network.outputs.back().push_back(bit(*node, name));
    }
}

void fatcube_cycle(const svBitVecVal* in, svBitVecVal* out) {
    for (const auto& ports : network.inputs) {
        for (const Port& port : ports) std::memcpy(port.data, in, port.bytes);
        ++in;
    }
    for (const Wire& wire : network.wires) cross(wire);
    for (const Lane& lane : network.lanes) {
        copy(lane.in);
        lane.part->eval();
        copy(lane.out);
    }
#if VM_TRACE
    if (waves) write_waves();
#endif
    for (auto& node : network.nodes) node->cycle();
    for (const Lane& lane : network.lanes) lane.part->cycle();
    for (const auto& ports : network.outputs) {
        CData all = 1, any = 0;
        for (const CData* port : ports) {
            all &= *port;
            any |= *port;
        }
        *out++ = all;
        *out++ = any;
    }
}

#if VM_TRACE
// Write the waves of these nodes to a VCD file. To be called before fatcube_settle.
void fatcube_open_waves(const char* file, int count, const int* numbers) {
    waves = new Waves;
    for (int index = 0; index < count; ++index) {
        waves->nodes.push_back(network.nodes[numbers[index]].get());
        waves->file.dumpvars(99, "node" + std::to_string(numbers[index]));
    }
    waves->nodes.front()->trace(&waves->file);  // which has all models in it, of which these are written
    waves->file.open(file);
}

void fatcube_close_waves() {
    waves->file.close();
    waves = nullptr;
}
#endif

// Give everything its first value. To be called once, before the first cycle.
void fatcube_settle() {
    for (auto& node : network.nodes) node->eval();
    for (const Lane& lane : network.lanes) lane.part->eval();
    for (const auto& [path, scope] : *Verilated::threadContextp()->scopeNameMap()) {
        if (!scope->varsp()) continue;
        for (const auto& [name, variable] : *scope->varsp()) {
            if (!variable.udims()) continue;
            const auto* const data = static_cast<const uint8_t*>(variable.datap());
            network.memories.push_back({variable.datap(), {data, data + variable.totalSize()}});
        }
    }
}

// Give all memories their first contents, which no reset does.
void fatcube_clear() {
    for (const Memory& memory : network.memories) std::memcpy(memory.data, memory.first.data(), memory.first.size());
}

// Where a variable of a node lies, with the bytes of one word of it; null if there is none. `scope` is the path of its
// module within the node, empty for the node itself.
void* fatcube_variable(int node, const char* scope, const char* name, int* bytes) {
    std::string path = "node" + std::to_string(node) + ".node";
    if (*scope) path += std::string{"."} + scope;
    const VerilatedScope* const found = Verilated::threadContextp()->scopeFind(path.c_str());
    const VerilatedVar* const variable = found ? found->varFind(name) : nullptr;
    if (!variable) return nullptr;
    *bytes = static_cast<int>(variable->entSize());
    return variable->datap();
}

// Where a port of a node lies; null if there is none.
void* fatcube_port(int node, const char* name) {
    const auto& ports = network.nodes[node]->ports;
    const auto found = ports.find(name);
    return found == ports.end() ? nullptr : found->second.data;
}

// Where a port of what stands in a lane lies; null if there is none.
void* fatcube_lane_port(int lane, const char* name) {
    const auto& ports = network.lanes[lane].part->ports;
    const auto found = ports.find(name);
    return found == ports.end() ? nullptr : found->second.data;
}

// Read a word over the bus of one node, which is clocked alone, with nothing on its lanes.
void fatcube_read(int node, int unit, int region, int bank, int word, void* value) {
    auto& ports = network.nodes[node]->ports;
    const auto ends_in = [](const std::string& name, const std::string& ending) {
        return name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
    };
    for (const auto& [name, port] : ports) {
        if (ends_in(name, "_in__valid") || ends_in(name, "_out__ready") || ends_in(name, "_out__credit") ||
            ends_in(name, "_out__answer") || ends_in(name, "_out__grant")) {
            *static_cast<CData*>(port.data) = 0;
        }
    }
    const auto set = [&](const char* name, int bits) { std::memcpy(ports.at(name).data, &bits, ports.at(name).bytes); };
    set("unit", unit);
    set("host__region", region);
    set("host__bank", bank);
    set("host__word", word);
    set("host__select", 1);
    network.nodes[node]->cycle();
    std::memcpy(value, ports.at("host__value").data, ports.at("host__value").bytes);
    set("host__select", 0);
    set("host__region", 0);
}

}  // extern "C"
