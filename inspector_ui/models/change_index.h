#pragma once
// When each place of a state changed last, as far as the deltas read so far tell.
//
// Deltas may be added in any order; the newest time wins. A place that was replaced with its parent takes
// the parent's time.

#include "value/delta.h"

#include <map>
#include <memory>

namespace terrarium::ui {

class ChangeIndex final {
public:
    void clear();
    void add(const Delta &delta, qint64 at);
    /// 0 when no delta read so far touched the place.
    qint64 changedAt(const Path &path) const;

private:
    struct Node {
        qint64 below = 0; ///< newest change here or deeper
        qint64 whole = 0; ///< newest replacement of exactly this place
        std::map<Path::Step, std::unique_ptr<Node>> children;
    };
    Node m_root;
};

} // namespace terrarium::ui
