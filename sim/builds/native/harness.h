// A node of a machine as the harness sees it: a compiled model, and where its ports are.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

struct Port {
    void* data = nullptr;
    size_t bytes = 0;
};

class Node {
public:
    virtual ~Node() = default;
    virtual void eval() = 0;
    virtual void cycle() = 0;  // from one rising edge of the clock until just before the next
#if VM_TRACE
    virtual void trace(VerilatedVcdC* file) = 0;  // before the first eval
#endif

    std::map<std::string, Port> ports;  // by name
};

// Every simulator defines it: see node.cpp.
std::unique_ptr<Node> make_node(VerilatedContext* context, const char* name);
