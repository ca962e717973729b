// A compiled node behind the interface of the harness. PORTS is the list of its ports, each with its name in Verilog and
// in C++, as in PORT(clk, clk) PORT(host__word, host___05Fword).
#include "Vnode.h"
#include "harness.h"
#include "ports.h"

namespace {

class CompiledNode final : public Node {
public:
    CompiledNode(VerilatedContext* context, const char* name) : m_model{context, name} {
#define PORT(verilog, member) ports[#verilog] = Port{&m_model.member, sizeof(m_model.member)};
        PORTS
#undef PORT
    }
    ~CompiledNode() override { m_model.final(); }
    void eval() override { m_model.eval(); }
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
