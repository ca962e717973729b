// A compiled part of a machine behind the interface of the harness. The generated part.h has its MODEL and NAME, and in
// PORTS the list of its ports, each with its name in Verilog and in C++ and whether it is an output, as in
// PORT(clk, clk, false) PORT(host__word, host___05Fword, false).
#include "harness.h"
#include "part.h"

namespace {

// Let the clock of a model fall. Nothing happens at that edge but that Verilator remembers it, so it is told, where it
// remembers it in a variable of this name, and need not evaluate the model a second time in each cycle.
template <class Model, class Root>
void fall(Model& model, Root& root) {
    model.clk = 0;
    if constexpr (requires { root.__Vtrigprevexpr___TOP__clk__0; }) {
        root.__Vtrigprevexpr___TOP__clk__0 = 0;
    } else {
        model.eval();
    }
}

class CompiledPart final : public Part {
public:
    CompiledPart(VerilatedContext* context, const char* name) : m_model{context, name} {
#define PORT(verilog, member, output) ports[#verilog] = Port{&m_model.member, sizeof(m_model.member), output};
        PORTS
#undef PORT
    }
    ~CompiledPart() override { m_model.final(); }
    void eval() override { m_model.eval(); }
    void cycle() override {
        m_model.clk = 1;
        m_model.eval();
        fall(m_model, *m_model.rootp);
    }
#if VM_TRACE
    void trace(VerilatedVcdC* file) override { m_model.trace(file, 99); }
#endif

private:
    MODEL m_model;
};

std::unique_ptr<Part> make(VerilatedContext* context, const char* name) {
    return std::make_unique<CompiledPart>(context, name);
}

const bool registered = makers().emplace(NAME, make).second;

}  // namespace
