// A part of a machine, a node or a lane, as the harness sees it: a compiled model, and where its ports are.
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
    bool output = false;
};

class Part {
public:
    virtual ~Part() = default;
    virtual void eval() = 0;
    virtual void cycle() = 0;  // from one rising edge of the clock until just before the next
#if VM_TRACE
    virtual void trace(VerilatedVcdC* file) = 0;  // before the first eval
#endif

    std::map<std::string, Port> ports;  // by name
};

using Maker = std::unique_ptr<Part> (*)(VerilatedContext* context, const char* name);

// What makes each part, by its name. Every compiled part puts itself in: see part.cpp.
std::map<std::string, Maker>& makers();
