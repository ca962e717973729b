// A board that is simulated: its module, clocked as fast as this computer can, with its serial line on a
// pseudo-terminal whose name is the first line of output. Ends when its input does. Time stands still while nothing runs
// and nothing is on the line.
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>

#include "Vboard.h"
#include "verilated.h"

namespace {

constexpr int look = 64;        // cycles after which new bytes are looked for
constexpr long settled = 4096;  // cycles without anything after which time stands still

int bit_cycles;
std::unique_ptr<Vboard> board;

void cycle() {
    board->clk = 1;
    board->eval();
    board->clk = 0;
    board->eval();
}

// The bits of one byte on a line, with its start and stop bit.
struct Sender {
    std::deque<unsigned char> bytes;
    unsigned bits = 1;
    int left = 0, timer = 0;

    bool busy() const { return left || timer || !bytes.empty(); }
    bool bit() {
        if (timer > 0) {
            --timer;
        } else if (left > 0) {
            bits >>= 1;
            --left;
            timer = bit_cycles - 1;
        } else if (!bytes.empty()) {
            bits = 0x600u | bytes.front() << 1 & 0x1FEu;
            bytes.pop_front();
            left = 9;
            timer = bit_cycles - 1;
        }
        return bits & 1;
    }
};

struct Receiver {
    unsigned bits = 0;
    int taken = 0, timer = 0;

    bool busy() const { return taken; }
    bool take(bool line, unsigned char& byte) {  // whether a byte has come
        if (!taken) {
            if (!line) {
                taken = 1;
                timer = bit_cycles / 2 - 1;
            }
        } else if (timer > 0) {
            --timer;
        } else {
            timer = bit_cycles - 1;
            bits = bits >> 1 | line << 9;
            if (taken++ == 10) {
                taken = 0;
                byte = bits >> 1;
                return line;
            }
        }
        return false;
    }
};

int open_terminal() {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal)) std::exit(3);
    // Held open here too, so that a computer that closes it can open it again; every byte as it is.
    const int other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    termios settings;
    tcgetattr(other, &settings);
    cfmakeraw(&settings);
    tcsetattr(other, TCSANOW, &settings);
    fcntl(terminal, F_SETFL, O_NONBLOCK);
    std::printf("%s\n", ptsname(terminal));
    std::fflush(stdout);
    return terminal;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return 2;
    bit_cycles = std::atoi(arguments[1]);
    board = std::make_unique<Vboard>();
    const int terminal = open_terminal();
    Sender sender;
    Receiver receiver;
    std::deque<unsigned char> out;
    board->clk = 0;
    board->rx = 1;
    board->rst = 1;
    cycle();
    cycle();
    board->rst = 0;
    long quiet = 0;
    for (long now = 0;; ++now) {
        board->rx = sender.bit();
        cycle();
        unsigned char byte;
        if (receiver.take(board->tx, byte)) out.push_back(byte);
        quiet = sender.busy() || receiver.busy() || board->running ? 0 : quiet + 1;
        if (now % look) continue;

        pollfd ends[2] = {{terminal, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
        if (poll(ends, 2, quiet > settled && out.empty() ? -1 : 0) > 0) {
            unsigned char bytes[4096];
            if (ends[0].revents & POLLIN) {
                const ssize_t found = read(terminal, bytes, sizeof bytes);
                if (found > 0) sender.bytes.insert(sender.bytes.end(), bytes, bytes + found);
                quiet = 0;
            }
            if (ends[1].revents) {
                // "?" asks whether the board is at rest; any other byte is the reset button; the end of the input is the
                // power switch.
                if (read(STDIN_FILENO, bytes, 1) <= 0) return 0;
                if (bytes[0] == '?') {
                    std::puts(quiet > settled && out.empty() ? "at rest" : "busy");
                    std::fflush(stdout);
                } else {
                    board->rst = 1;
                    cycle();
                    cycle();
                    board->rst = 0;
                    quiet = 0;
                }
            }
        }
        while (!out.empty() && write(terminal, &out.front(), 1) == 1) out.pop_front();
    }
}
