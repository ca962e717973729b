// A compiled node behind the interface of the harness. PORTS is the list of its ports, each with its name in Verilog and
// in C++, as in PORT(clk, clk) PORT(host__word, host___05Fword).
#include "Vnode.h"
#include "Vnode___024root.h"
#include "harness.h"
#include "ports.h"

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

class CompiledNode final : public Node {
public:
    CompiledNode(VerilatedContext* context, const char* name) : m_model{context, name} {
#define PORT(verilog, member) ports[#verilog] = Port{&m_model.member, sizeof(m_model.member)};
        PORTS
#undef PORT
    }
    ~CompiledNode() override { m_model.final(); }
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
    Vnode m_model;
};

}  // namespace

std::unique_ptr<Node> make_node(VerilatedContext* context, const char* name) {
    return std::make_unique<CompiledNode>(context, name);
}
