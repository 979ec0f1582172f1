#pragma once
// Something that can be waited for together with others (select.h): a channel, a notice, a deadline.
//
// A source says whether it is ready and tells its watchers when it may have become so. It never resumes anyone
// itself, and it may be destroyed while it is watched.

namespace terrarium {

class Source {
public:
    Source() noexcept = default;
    Source(const Source &) = delete;
    Source &operator=(const Source &) = delete;

    virtual bool isReady() const noexcept = 0;

    /// A watcher's place in a source's list; embedded in the watcher.
    class Watch {
    public:
        Watch() noexcept = default;
        Watch(const Watch &) = delete;
        Watch &operator=(const Watch &) = delete;
        ~Watch() { detach(); }

        /// Only while detached.
        void attach(Source &source) noexcept;
        void detach() noexcept;
        Source *source() const noexcept { return m_source; } ///< null: detached, or the source is gone

        /// Called by the source, possibly within somebody's turn: wake, don't work.
        void (*notified)(Watch &) noexcept = nullptr;

    private:
        friend class Source;
        Source *m_source = nullptr;
        Watch *m_next = nullptr;
    };

protected:
    ~Source();
    /// To call whenever isReady() may have turned true.
    void notify() noexcept;

private:
    Watch *m_watches = nullptr;
};

} // namespace terrarium
