// The nodes of a machine and the lanes between them. Verilog calls fatcube_cycle at every rising edge; Python makes
// the nodes, and reads and writes their memories where they lie.
//
// Inputs of all nodes come in words of 32 bits, one for each name that fatcube_make is given, and outputs go out in two
// words each: whether it is 1 at all nodes, and at any. After these come the lanes that are cut, for components in
// between: for each the payload in whole words, then a word with valid in bit 0 and, from bit 1 on, what comes back:
// ready, with the answers of circuits behind it, or, where a lane has virtual channels, their credits.
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
    int cut;  // its number among the lanes that are cut, or -1
};

struct Network {
    std::vector<std::unique_ptr<Node>> nodes;
    std::vector<Wire> wires;
    std::vector<std::vector<Port>> inputs;  // by name, then by node; empty if nodes have none of that name
    std::vector<std::vector<CData*>> outputs;
    size_t payload_words = 1;
};

Network& network = *new Network;  // never taken down: at exit, Verilator is gone before it

CData* bit(Node& node, const std::string& name) { return static_cast<CData*>(node.ports.at(name).data); }

#if VM_TRACE
struct Waves {
    VerilatedVcdC file;
    std::vector<Node*> nodes;
    uint64_t time = 0;
};

Waves* waves = nullptr;

// Write the cycle that the next rising edge ends, with all that came in during it. A cycle takes 2 ns.
void write_waves() {
    for (const CData clock : {CData{1}, CData{0}}) {
        for (Node* node : waves->nodes) {
            node->eval();  // with the clock low; without it nothing would be written
            *static_cast<CData*>(node->ports.at("clk").data) = clock;
        }
        waves->file.dump(waves->time++);
        for (Node* node : waves->nodes) *static_cast<CData*>(node->ports.at("clk").data) = 0;
    }
}
#endif

void cross(const Wire& wire, const svBitVecVal* in) {
    if (wire.cut < 0) {
        std::memcpy(wire.payload_in.data, wire.payload_out.data, wire.payload_out.bytes);
        *wire.valid_in = *wire.valid_out;
        *wire.back_in = *wire.back_out;
        if (wire.answer_in) *wire.answer_in = *wire.answer_out;
    } else {
        const svBitVecVal* words = in + wire.cut * (network.payload_words + 1);
        const svBitVecVal flags = words[network.payload_words];
        std::memcpy(wire.payload_in.data, words, wire.payload_in.bytes);
        *wire.valid_in = flags & 1;
        *wire.back_in = static_cast<CData>(wire.answer_in ? flags >> 1 & 1 : flags >> 1);
        if (wire.answer_in) *wire.answer_in = static_cast<CData>(flags >> 2);
    }
}

std::vector<std::string> names_in(const char* text) {
    std::istringstream stream{text};
    std::vector<std::string> names;
    for (std::string name; stream >> name;) names.push_back(name);
    return names;
}

}  // namespace

extern "C" {

// Make the nodes. `leads_to` has for each node, channel and lane the input that it leads to, as the same kind of
// number or -1 if it leads nowhere, and `cuts` the number of the cut in it, or -1.
void fatcube_make(int nodes, int channels, int lanes, const int* leads_to, const int* cuts, const char* inputs,
                  const char* outputs) {
    VerilatedContext* const context = Verilated::threadContextp();
    for (int number = 0; number < nodes; ++number) {
        network.nodes.push_back(make_node(context, ("node" + std::to_string(number)).c_str()));
    }
    const auto stream = [&](int lane, const char* way, const char* signal) {
        const int channel = lane / lanes % channels;
        return "channel" + std::to_string(channel) + "_lane" + std::to_string(lane % lanes) + way + "__" + signal;
    };
    const char* const back = network.nodes[0]->ports.count("channel0_lane0_in__credit") ? "credit" : "ready";
    const bool answers = network.nodes[0]->ports.count("channel0_lane0_in__answer");
    for (int from = 0; from < nodes * channels * lanes; ++from) {
        const int to = leads_to[from];
        if (to < 0) continue;  // nothing comes in there, and what goes out there the node takes by itself
        Node& source = *network.nodes[from / lanes / channels];
        Node& sink = *network.nodes[to / lanes / channels];
        network.wires.push_back(Wire{
            source.ports.at(stream(from, "_out", "payload")), sink.ports.at(stream(to, "_in", "payload")),
            bit(source, stream(from, "_out", "valid")), bit(sink, stream(to, "_in", "valid")),
            bit(sink, stream(to, "_in", back)), bit(source, stream(from, "_out", back)),
            answers ? bit(sink, stream(to, "_in", "answer")) : nullptr,
            answers ? bit(source, stream(from, "_out", "answer")) : nullptr, cuts[from]});
        network.payload_words = (network.wires.back().payload_out.bytes + 3) / 4;
    }
    for (const std::string& name : names_in(inputs)) {
        network.inputs.emplace_back();
        for (auto& node : network.nodes) {
            if (node->ports.count(name)) network.inputs.back().push_back(node->ports.at(name));
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
    for (const Wire& wire : network.wires) cross(wire, in);
#if VM_TRACE
    if (waves) write_waves();
#endif
    for (auto& node : network.nodes) node->cycle();
    for (const auto& ports : network.outputs) {
        CData all = 1, any = 0;
        for (const CData* port : ports) {
            all &= *port;
            any |= *port;
        }
        *out++ = all;
        *out++ = any;
    }
    for (const Wire& wire : network.wires) {
        if (wire.cut >= 0) {
            svBitVecVal* const words = out + wire.cut * (network.payload_words + 1);
            words[network.payload_words - 1] = 0;
            std::memcpy(words, wire.payload_out.data, wire.payload_out.bytes);
            words[network.payload_words] = *wire.valid_out | *wire.back_out << 1 | (wire.answer_out ? *wire.answer_out << 2 : 0);
        }
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

// Read a word over the bus of one node, which is clocked alone, with nothing on its lanes.
void fatcube_read(int node, int unit, int region, int bank, int word, void* value) {
    auto& ports = network.nodes[node]->ports;
    const auto ends_in = [](const std::string& name, const std::string& ending) {
        return name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
    };
    for (const auto& [name, port] : ports) {
        if (ends_in(name, "_in__valid") || ends_in(name, "_out__ready") || ends_in(name, "_out__credit") ||
            ends_in(name, "_out__answer")) {
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
