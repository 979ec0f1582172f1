// The two hosts of the window's pictures: who exists, what happened since 13:49:12, and one gap.
//
// Everything is fixed: the same bytes every time. Times are local times of one day, so the pictures show the same
// clock in every time zone.

#include "testing/fake_host_parts.h"
#include "value/cbor.h"

#include <QDateTime>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace terrarium {

namespace {

using S = wire::ActorStatus;

qint64 mockTime(int hour, int minute, int second, int ms = 0)
{
    return QDateTime(QDate(2026, 11, 12), QTime(hour, minute, second, ms)).toMSecsSinceEpoch();
}

Value mockMap(std::vector<MapEntry> entries)
{
    return Value::map(std::move(entries));
}

Path mockPath(const char *text)
{
    return Path::fromText(QString::fromLatin1(text)).value_or(Path());
}

Value mockCursor(int x, int y)
{
    return mockMap({{QStringLiteral("x"), x}, {QStringLiteral("y"), y}});
}

Value mockMember(int x, int y, const char *name, bool typing)
{
    return mockMap({{QStringLiteral("cursor"), mockCursor(x, y)},
                    {QStringLiteral("name"), Value(name)},
                    {QStringLiteral("typing"), Value(typing)}});
}

wire::ParameterInfo mockParameter(const char *name, const char *type, bool optional = false)
{
    wire::ParameterInfo info;
    info.name = QString::fromLatin1(name);
    info.type = QString::fromLatin1(type);
    info.optional = optional;
    return info;
}

wire::ActionInfo mockAction(const char *name, QList<wire::ParameterInfo> parameters, const char *result,
                            const char *help = "", bool query = false)
{
    wire::ActionInfo info;
    info.name = QString::fromLatin1(name);
    info.parameters = std::move(parameters);
    info.result = QString::fromLatin1(result);
    info.help = QString::fromLatin1(help);
    info.query = query;
    return info;
}

wire::OptionInfo mockOption(const char *name, const char *value, bool isDefault = true)
{
    wire::OptionInfo info;
    info.name = QString::fromLatin1(name);
    info.value = QString::fromLatin1(value);
    info.isDefault = isDefault;
    return info;
}

QList<wire::OptionInfo> mockOptions()
{
    return {mockOption("sleepTimeout", "30 s"),  mockOption("sleepGrace", "15 s"),
            mockOption("actionTimeout", "60 s"), mockOption("stateSaveInterval", "1 s"),
            mockOption("replies", "after save"), mockOption("noSleep", "off")};
}

wire::Blocker mockBlocker(const char *kind, int count, bool on, qint64 since = 0, const char *label = "",
                          const char *origin = "", const char *note = "")
{
    wire::Blocker blocker;
    blocker.kind = QString::fromLatin1(kind);
    blocker.count = count;
    blocker.on = on;
    blocker.since = since;
    blocker.label = QString::fromLatin1(label);
    blocker.origin = QString::fromLatin1(origin);
    blocker.note = QString::fromLatin1(note);
    return blocker;
}

wire::SleepForecast mockForecast(const char *kind, qint64 at = 0, Cause resetBy = {})
{
    wire::SleepForecast forecast;
    forecast.kind = QString::fromLatin1(kind);
    forecast.at = at;
    forecast.resetBy = std::move(resetBy);
    return forecast;
}

wire::HookTiming mockHook(const char *name, qint64 tookUs, const char *outcome = "ok")
{
    wire::HookTiming hook;
    hook.name = QString::fromLatin1(name);
    hook.tookUs = tookUs;
    hook.outcome = QString::fromLatin1(outcome);
    return hook;
}

wire::TransitionRecord mockTransition(S from, S to, const char *reason, const char *detail, quint32 generation,
                                      qint64 tookMs, Cause cause = {}, QList<wire::HookTiming> hooks = {})
{
    wire::TransitionRecord record;
    record.from = from;
    record.to = to;
    record.reason = QString::fromLatin1(reason);
    record.detail = QString::fromLatin1(detail);
    record.generation = generation;
    record.tookUs = tookMs * 1000;
    record.cause = std::move(cause);
    record.hooks = std::move(hooks);
    return record;
}

Cause mockCause(const char *kind, const char *name = "", const char *id = "")
{
    return Cause(QString::fromLatin1(kind), QString::fromLatin1(name), QString::fromLatin1(id));
}

} // namespace

/// Builds both hosts. A friend of FakeHost because the gap needs a hand on the first answer.
class MockScene final {
public:
    explicit MockScene(FakeHost &host) : m_host(host), m_now(FakeHost::mockNow()) {}

    void shop();
    void worker();

private:
    QString plain(const char *type, const char *key, S status, const Value &state, qint64 sinceAgo,
                  const std::function<void(wire::ActorSummary &)> &change = {});
    void types();
    void lobby();
    void lobbyLifecycle(const QString &id);
    void lobbyChanges(const QString &id);
    void oneChange(const QString &id, qint64 at);
    quint64 change(const Cause &cause, const Delta &ops, qint64 at, qint64 savedMs);

    FakeHost &m_host;
    const qint64 m_now;
    QString m_lobby;
    std::mt19937 m_random{6420};
    int m_said = 0;
};

qint64 FakeHost::mockNow()
{
    return mockTime(14, 2, 21, 720);
}

std::unique_ptr<FakeHost> FakeHost::mockShop(Environment &environment)
{
    auto host = std::make_unique<FakeHost>(environment, QStringLiteral("shop-dev"), 6420);
    host->m_productVersion = QStringLiteral("0.4.0");
    host->m_startedAt = mockTime(13, 49, 5);
    MockScene(*host).shop();
    return host;
}

std::unique_ptr<FakeHost> FakeHost::mockWorker(Environment &environment)
{
    auto host = std::make_unique<FakeHost>(environment, QStringLiteral("worker"), 6421);
    host->m_productVersion = QStringLiteral("0.4.0");
    host->m_startedAt = mockTime(14, 1, 0);
    MockScene(*host).worker();
    return host;
}

QString MockScene::plain(const char *type, const char *key, S status, const Value &state, qint64 sinceAgo,
                         const std::function<void(wire::ActorSummary &)> &change)
{
    const QString id = m_host.addActor(QString::fromLatin1(type), ActorKey(key), status, state);
    m_host.edit(id, [&](wire::ActorSummary &summary) {
        summary.createdAt = mockTime(13, 49, 20);
        summary.createdBy = mockCause("create", "client web-3");
        summary.since = m_now - sinceAgo;
        summary.lastActivityAt = m_now - std::min<qint64>(sinceAgo, 2000);
        switch (status) {
        case S::running:
            summary.forecast = mockForecast("countdown", m_now + 21'000, mockCause("action", "get"));
            break;
        case S::sleeping: summary.forecast = mockForecast("asleep"); break;
        case S::sleepGrace: summary.forecast = mockForecast("grace", m_now + 9'000); break;
        default: summary.forecast = mockForecast("never"); break;
        }
        if (change)
            change(summary);
    });
    return id;
}

void MockScene::types()
{
    wire::TypeInfo chat;
    chat.name = QStringLiteral("chatRoom");
    chat.actions = {
        mockAction("move", {mockParameter("x", "int"), mockParameter("y", "int"), mockParameter("note", "text", true)},
                   "map", "Moves the caller's cursor. Answers when the move is saved."),
        mockAction("say", {mockParameter("text", "text")}, "int", "Adds a message. Answers its place."),
        mockAction("join", {mockParameter("name", "text")}, "map", "Enters the room."),
        mockAction("leave", {mockParameter("name", "text")}, "none", "Leaves the room."),
        mockAction("setTitle", {mockParameter("title", "text")}, "none", "Renames the room."),
        mockAction("history", {mockParameter("query", "map", true)}, "list", "The last messages.", true),
        mockAction("kick", {mockParameter("name", "text"), mockParameter("reason", "text", true)}, "none",
                   "Removes a member."),
        mockAction("export", {mockParameter("format", "text")}, "bytes", "All messages as a file.", true)};
    chat.events = {QStringLiteral("moved"), QStringLiteral("said"), QStringLiteral("joined"), QStringLiteral("left")};
    chat.options = mockOptions();
    chat.hasQueue = true;
    m_host.addType(chat);

    wire::TypeInfo counter;
    counter.name = QStringLiteral("counter");
    counter.actions = {mockAction("increment", {mockParameter("by", "int", true)}, "int", "Adds to the count."),
                       mockAction("get", {}, "int", "The count.", true),
                       mockAction("reset", {}, "none", "Back to zero.")};
    counter.events = {QStringLiteral("changed")};
    counter.options = mockOptions();
    m_host.addType(counter);

    wire::TypeInfo checkout;
    checkout.name = QStringLiteral("checkout");
    checkout.actions = {mockAction("pay", {mockParameter("card", "text")}, "map", "Charges the card."),
                        mockAction("cancel", {}, "none", "Gives everything back.")};
    checkout.options = mockOptions();
    checkout.hasWorkflow = true;
    m_host.addType(checkout);

    wire::TypeInfo archive;
    archive.name = QStringLiteral("archive");
    archive.actions = {
        mockAction("store", {mockParameter("order", "map")}, "int", "Keeps one order."),
        mockAction("find", {mockParameter("text", "text")}, "list", "Orders that contain the text.", true)};
    archive.options = mockOptions();
    archive.hasDatabase = true;
    m_host.addType(archive);
}

void MockScene::shop()
{
    types();
    plain("archive", "2026", S::sleeping,
          mockMap({{QStringLiteral("orders"), 1842}, {QStringLiteral("lastOrder"), Value("1841")}}), 1'260'000,
          [](wire::ActorSummary &s) { s.hasDatabase = true; });
    const QString dev = plain("chatRoom", "dev", S::running,
                              mockMap({{QStringLiteral("title"), Value("Dev")},
                                       {QStringLiteral("members"), Value::map()},
                                       {QStringLiteral("messages"), Value::array()}}),
                              724'000, [](wire::ActorSummary &s) {
                                  s.rate = 2;
                                  s.connections = 1;
                              });
    m_host.setBlockers(dev, {mockBlocker("connections", 1, true, m_now - 300'000, "", "web-2")},
                       mockForecast("blocked"));
    lobby();
    const QString qa = plain("chatRoom", "qa", S::sleepGrace, mockMap({{QStringLiteral("title"), Value("QA")}}), 6'000,
                             [this](wire::ActorSummary &s) { s.deadline = m_now + 9'000; });
    m_host.setBlockers(qa, {mockBlocker("keepAwake", 1, true, m_now - 8'000, "mail", "hook onSleep")},
                       mockForecast("grace", m_now + 9'000));
    plain("checkout", "1842", S::crashed,
          mockMap({{QStringLiteral("total"), 4900}, {QStringLiteral("step"), Value("chargeCard")}}), 63'000,
          [this](wire::ActorSummary &s) {
              s.hasWorkflow = true;
              s.errors5m = 3;
              wire::ErrorInfo error;
              error.group = QStringLiteral("checkout");
              error.code = QStringLiteral("declined");
              error.message = QStringLiteral("card ending 4242 was declined");
              error.at = m_now - 63'000;
              s.lastError = error;
          });
    plain("checkout", "1843", S::running,
          mockMap({{QStringLiteral("total"), 1250}, {QStringLiteral("step"), Value("reserve")}}), 31'000,
          [](wire::ActorSummary &s) {
              s.hasWorkflow = true;
              s.rate = 6.4;
          });
    plain("checkout", "1844", S::starting, Value::map(), 300, [](wire::ActorSummary &s) {
        s.hasWorkflow = true;
        s.hook = QStringLiteral("onWake");
    });
    plain("checkout", "1845", S::pending, Value::undefined(), 2'000,
          [](wire::ActorSummary &s) { s.hasWorkflow = true; });
    const QString a = plain("counter", "a", S::running, mockMap({{QStringLiteral("count"), 41}}), 93'000,
                            [](wire::ActorSummary &s) { s.rate = 1; });
    for (int i = 0; i < 12; ++i) {
        const quint64 sequence =
            m_host.change(a, mockCause("timer", "tick"),
                          {DeltaOp(DeltaOp::Kind::Set, mockPath("count"), Value(42 + i))}, m_now - (12 - i) * 1000);
        m_host.saved(a, sequence, 9'000, m_now - (12 - i) * 1000 + 9);
    }
    plain("counter", "b", S::sleeping, mockMap({{QStringLiteral("count"), 7}}), 400'000);
    plain("counter", "c", S::sleeping, mockMap({{QStringLiteral("count"), 9007199254740993LL}}), 500'000);
    plain("mailer", "main", S::backoff, mockMap({{QStringLiteral("sent"), 118}}), 4'000, [this](wire::ActorSummary &s) {
        s.deadline = m_now + 4'000;
        s.errors5m = 1;
        wire::ErrorInfo error;
        error.group = QStringLiteral("mailer");
        error.code = QStringLiteral("smtp_unreachable");
        error.message = QStringLiteral("mail.example:25 does not answer");
        error.at = m_now - 4'000;
        s.lastError = error;
    });
    plain("session", "9f3a7c52d1b04e61a8e1", S::sleepFinalize, mockMap({{QStringLiteral("user"), Value("ada")}}), 400);
    plain("session", "b7d2094fc6e84b1795aa", S::destroyGrace, mockMap({{QStringLiteral("user"), Value("grace")}}),
          7'000, [this](wire::ActorSummary &s) { s.deadline = m_now + 3'000; });
    for (const char *key : {"1839", "1840", "1841"})
        plain("checkout", key, S::destroyed, Value::undefined(), 600'000,
              [](wire::ActorSummary &s) { s.hasWorkflow = true; });
    m_host.turn();
}

void MockScene::worker()
{
    wire::TypeInfo render;
    render.name = QStringLiteral("render");
    render.actions = {mockAction("start", {mockParameter("scene", "text")}, "none", "Begins a picture.")};
    render.options = mockOptions();
    m_host.addType(render);
    const QString main = plain("render", "main", S::running,
                               mockMap({{QStringLiteral("frame"), 1204}, {QStringLiteral("scene"), Value("harbour")}}),
                               81'000, [](wire::ActorSummary &s) { s.rate = 8.7; });
    m_host.setBlockers(main, {mockBlocker("runHandler", 1, true, m_now - 81'000)}, mockForecast("blocked"));
    plain("render", "preview", S::loading, Value::undefined(), 200);
    plain("thumbs", "2026-11", S::sleeping, mockMap({{QStringLiteral("done"), 311}}), 70'000);
    plain("thumbs", "old", S::destroying, Value::undefined(), 900, [](wire::ActorSummary &s) { s.rate = 0.4; });
    plain("import", "csv", S::unknown, Value::undefined(), 60'000);
    m_host.turn();
}

// ---- chatRoom/lobby ------------------------------------------------------------------------------------

quint64 MockScene::change(const Cause &cause, const Delta &ops, qint64 at, qint64 savedMs)
{
    const quint64 sequence = m_host.change(m_lobby, cause, ops, at);
    if (savedMs > 0)
        m_host.saved(m_lobby, sequence, savedMs * 1000 + qint64(m_random() % 900), at + savedMs);
    return sequence;
}

void MockScene::oneChange(const QString &id, qint64 at)
{
    const quint64 next = m_host.sequence(id) + 1;
    const qint64 savedMs = 7 + qint64(m_random() % 6);
    if (next == 1190) {
        change(mockCause("action", "setTitle", "web-7"), {DeltaOp(DeltaOp::Kind::Set, mockPath("total"), Value(-1))},
               at, savedMs);
        return;
    }
    // 139 messages by #1273, evenly.
    if (int(next) * 139 / 1273 > m_said) {
        static constexpr std::array<const char *, 6> texts{"the parcel for the corner shop is still here",
                                                           "who has the keys to the van?",
                                                           "shipping at 5",
                                                           "nine orders wait for stock, the rest is packed",
                                                           "please check the label on the blue box",
                                                           "back in ten minutes"};
        static constexpr std::array<const char *, 3> names{"ada", "linus", "grace"};
        const qsizetype place = m_host.state(id)["messages"].size();
        Delta ops{DeltaOp(DeltaOp::Kind::Insert, mockPath("messages").child(place),
                          mockMap({{QStringLiteral("id"), m_said},
                                   {QStringLiteral("from"), Value(names[m_random() % names.size()])},
                                   {QStringLiteral("text"), Value(texts[m_random() % texts.size()])},
                                   {QStringLiteral("at"), Value(at)}}))};
        ++m_said;
        if (next < 1190)
            ops.append(DeltaOp(DeltaOp::Kind::Set, mockPath("total"), Value(m_said * 7)));
        change(mockCause("action", "say", "web-3"), ops, at, savedMs);
        return;
    }
    if (next % 40 == 0) {
        const Value &unread = m_host.state(id)["unread"];
        change(mockCause("message", "mail"),
               {DeltaOp(DeltaOp::Kind::Set, mockPath("unread"), Value((unread.toInt() + 1) % 5))}, at, savedMs);
        return;
    }
    // 41 s before the end ada stops and linus begins to type.
    const bool onlyLinus = at > m_now - 41'000;
    const char *who = onlyLinus || m_random() % 3 ? "linus" : "ada";
    const Path cursor = mockPath("members").child(QString::fromLatin1(who)).child(QStringLiteral("cursor"));
    if (m_random() % 4 == 0) {
        change(mockCause("action", "move", "web-7"),
               {DeltaOp(DeltaOp::Kind::Set, cursor, mockCursor(int(m_random() % 400), int(m_random() % 240)))}, at,
               savedMs);
    } else {
        change(mockCause("action", "move", "web-7"),
               {DeltaOp(DeltaOp::Kind::Set, cursor.child(QStringLiteral("x")), Value(int(m_random() % 400)))}, at,
               savedMs);
    }
}

void MockScene::lobbyChanges(const QString &id)
{
    struct Window {
        qint64 from;
        qint64 to;
        quint64 until; ///< sequence reached at its end
    };
    const std::array<Window, 4> windows{{
        {mockTime(13, 50, 20), mockTime(13, 58, 10), 690},
        {mockTime(13, 58, 42), mockTime(13, 58, 57), 700},
        {mockTime(13, 59, 47), mockTime(14, 0, 16), 900},
        {mockTime(14, 1, 2), mockTime(14, 2, 13, 600), 1273},
    }};
    const qint64 typingAt = m_now - 41'000;
    bool isTyping = false;
    qint64 lastAt = 0;
    for (const Window &window : windows) {
        const quint64 first = m_host.sequence(id);
        const double count = double(window.until - first);
        for (quint64 next = first + 1; next <= window.until; ++next) {
            // Denser towards the middle of each window.
            const double u = double(next - first) / count;
            const double eased = u - 0.12 * std::sin(u * 12.566) - 0.03 * double(m_random() % 100) / 100.0;
            const qint64 at = std::max(
                lastAt + 1, window.from + qint64(double(window.to - window.from) * std::clamp(eased, 0.0, 1.0)));
            lastAt = at;
            if (!isTyping && at >= typingAt) {
                isTyping = true;
                change(mockCause("action", "typing", "web-7"),
                       {DeltaOp(DeltaOp::Kind::Set, mockPath("members.linus.typing"), Value(true))}, at, 9);
                continue;
            }
            oneChange(id, at);
        }
    }
}

void MockScene::lobbyLifecycle(const QString &id)
{
    // Kept apart from the changes: the log is sorted by time afterwards, as it would have grown.
    const auto at = mockTime;
    m_host.transition(id,
                      mockTransition(S::loading, S::starting, "loaded", "loaded from disk, 11 ms", 2, 11,
                                     mockCause("create"), {mockHook("load", 11'000)}),
                      at(13, 49, 12, 467));
    m_host.transition(id,
                      mockTransition(S::starting, S::running, "created", "created by client web-3", 2, 84,
                                     mockCause("create", "client web-3"), {mockHook("onCreate", 52'000)}),
                      at(13, 49, 12, 551));
    wire::NoteRecord stayedUp;
    stayedUp.kind = QStringLiteral("idleTimerStayedUp");
    stayedUp.text = QStringLiteral("keep-awake turn 37 was on");
    m_host.note(id, stayedUp, at(13, 57, 10, 0));
    m_host.transition(id, mockTransition(S::running, S::sleepGrace, "idle", "idle for 30 s", 2, 567'450),
                      at(13, 58, 40, 1));
    m_host.transition(id,
                      mockTransition(S::sleepGrace, S::sleepFinalize, "drained", "drained, onSleep 1.1 s", 2, 18'001,
                                     {}, {mockHook("onSleep", 1'100'000)}),
                      at(13, 58, 58, 2));
    m_host.transition(id,
                      mockTransition(S::sleepFinalize, S::sleeping, "saved", "saved 14.2 KB, 31 ms", 2, 3'701, {},
                                     {mockHook("save", 31'000)}),
                      at(13, 59, 1, 703));
    m_host.transition(id,
                      mockTransition(S::sleeping, S::starting, "action", "action join, connection 7", 3, 38'407,
                                     mockCause("action", "join", "7")),
                      at(13, 59, 40, 110));
    m_host.transition(id,
                      mockTransition(S::starting, S::running, "hookFinished", "onWake finished, 60 ms", 3, 5'894, {},
                                     {mockHook("load", 11'000), mockHook("onWake", 60'000)}),
                      at(13, 59, 46, 4));
    m_host.transition(id, mockTransition(S::running, S::sleepGrace, "idle", "idle for 30 s", 3, 59'997),
                      at(14, 0, 46, 1));
    m_host.transition(id,
                      mockTransition(S::sleepGrace, S::running, "action", "action join cancelled sleep", 3, 14'211,
                                     mockCause("action", "join", "web-3")),
                      at(14, 1, 0, 212));

    struct Span {
        const char *label;
        qint64 from;
        qint64 to; ///< 0: still on
    };
    for (const Span &span :
         {Span{"turn 37", at(13, 56, 58, 0), at(13, 57, 20, 0)}, Span{"turn 38", at(13, 57, 56, 0), at(13, 58, 26, 0)},
          Span{"mail", at(13, 58, 28, 0), at(13, 58, 40, 0)}, Span{"turn 39", at(13, 59, 50, 0), at(14, 0, 18, 0)},
          Span{"turn 40", at(14, 0, 54, 0), at(14, 1, 34, 0)}, Span{"turn 41", m_now - 8'200, 0}}) {
        wire::AwakeRecord record;
        record.span = QStringLiteral("span-") + QString::fromLatin1(span.label);
        record.kind = QStringLiteral("keepAwake");
        record.label = QString::fromLatin1(span.label);
        m_host.awake(id, record, span.from);
        if (span.to > 0) {
            record.begin = false;
            m_host.awake(id, record, span.to);
        }
    }

    struct Level {
        qint64 at;
        int connections;
        int queue;
    };
    for (const Level &level :
         {Level{at(13, 49, 12, 600), 1, 0}, Level{at(13, 57, 0, 0), 2, 0}, Level{at(13, 58, 8, 0), 2, 4},
          Level{at(13, 58, 18, 0), 2, 2}, Level{at(13, 58, 22, 0), 1, 2}, Level{at(13, 58, 28, 0), 1, 0},
          Level{at(13, 58, 37, 0), 0, 0}, Level{at(13, 59, 40, 100), 1, 6}, Level{at(13, 59, 50, 0), 1, 3},
          Level{at(14, 0, 4, 0), 1, 1}, Level{at(14, 0, 10, 0), 1, 0}, Level{at(14, 0, 36, 0), 0, 0},
          Level{at(14, 0, 55, 0), 1, 0}, Level{at(14, 1, 22, 0), 3, 0}, Level{at(14, 1, 28, 0), 3, 2},
          Level{at(14, 1, 54, 0), 2, 2}, Level{at(14, 1, 58, 0), 2, 5}, Level{at(14, 2, 15, 400), 2, 3}})
        m_host.gauge(id, level.connections, level.queue, level.at);

    const auto call = [&](const char *name, qint64 when, qint64 tookUs, const char *error = "",
                          const char *kind = "action") {
        wire::CallRecord record;
        record.cause = mockCause(kind, name, "web-7");
        record.connection = QStringLiteral("web-7");
        record.tookUs = tookUs;
        record.ok = error[0] == '\0';
        record.errorCode = QString::fromLatin1(error);
        m_host.called(id, record, when);
    };
    call("join", at(13, 49, 13, 0), 84'000);
    for (const int second : {52, 53, 56, 58, 61, 67, 74, 86, 89, 95, 105})
        call("move", at(13, 57, 0, 0) + second * 1000, 2'900);
    call("join", at(13, 59, 40, 100), 84'000);
    call("prune", at(13, 59, 46, 200), 12'000, "", "timer");
    for (const int second : {2, 3, 5, 10, 14, 15, 17})
        call("move", at(14, 0, 0, 0) + second * 1000, 3'100);
    call("history", at(14, 0, 12, 0), 2'100);
    call("join", at(14, 1, 0, 201), 84'000);
    for (const int second : {4, 11, 13, 21, 26, 28, 29, 33, 36, 47, 48, 58, 66, 68, 75})
        call("move", at(14, 1, 0, 0) + second * 1000 + second * 7, 3'000 + second);
    call("leave", m_now - 38'000, 400, "actor/not_member");
    call("prune", at(14, 1, 40, 0), 12'000, "", "timer");
    call("setTitle", at(14, 1, 56, 310), 1'900);
    call("leave", m_now - 21'000, 400, "actor/not_member");
}

void MockScene::lobby()
{
    m_lobby = m_host.addActor(
        QStringLiteral("chatRoom"), ActorKey("lobby"), S::running,
        mockMap({{QStringLiteral("title"), Value("Lobby")},
                 {QStringLiteral("members"), mockMap({{QStringLiteral("ada"), mockMember(12, 40, "Ada L.", false)}})},
                 {QStringLiteral("messages"), Value::array()},
                 {QStringLiteral("unread"), 0},
                 {QStringLiteral("turn"), 36},
                 {QStringLiteral("total"), 0},
                 {QStringLiteral("settings"), mockMap({{QStringLiteral("maxMembers"), 50},
                                                       {QStringLiteral("slowMode"), Value(false)},
                                                       {QStringLiteral("retention"), Value("127 messages")}})},
                 {QStringLiteral("createdAt"), Value(mockTime(13, 49, 12, 467))}}));
    const QString id = m_lobby;
    FakeHost::Actor &actor = m_host.actor(id);

    lobbyLifecycle(id);
    change(mockCause("connect", "linus"),
           {DeltaOp(DeltaOp::Kind::Set, mockPath("members.linus"), mockMember(20, 20, "Linus T.", false))},
           mockTime(13, 50, 1), 10);
    change(mockCause("connect", "grace"),
           {DeltaOp(DeltaOp::Kind::Set, mockPath("members.grace"), mockMember(70, 12, "Grace H.", false))},
           mockTime(13, 50, 4), 9);
    change(mockCause("action", "setTitle", "web-3"), {DeltaOp(DeltaOp::Kind::Set, mockPath("title"), Value("Lobby 2"))},
           mockTime(13, 50, 10), 10);
    change(mockCause("workflow", "turn"), {DeltaOp(DeltaOp::Kind::Set, mockPath("turn"), Value(40))},
           mockTime(13, 50, 12), 10);
    lobbyChanges(id);
    change(mockCause("message", "mail"), {DeltaOp(DeltaOp::Kind::Set, mockPath("unread"), Value(4))},
           mockTime(14, 2, 13, 702), 8);
    change(mockCause("action", "move", "web-7"),
           {DeltaOp(DeltaOp::Kind::Set, mockPath("members.linus.cursor"), mockCursor(98, 60))},
           mockTime(14, 2, 13, 940), 9);
    change(mockCause("workflow", "turn"), {DeltaOp(DeltaOp::Kind::Set, mockPath("turn"), Value(41))},
           mockTime(14, 2, 14, 101), 9);
    change(mockCause("message", "mail"), {DeltaOp(DeltaOp::Kind::Set, mockPath("unread"), Value(5))},
           mockTime(14, 2, 14, 733), 8);
    change(mockCause("action", "move", "web-7"),
           {DeltaOp(DeltaOp::Kind::Set, mockPath("members.linus.cursor"), mockCursor(112, 64))},
           mockTime(14, 2, 15, 298), 10);

    // The log as it would have grown: by time, positions without holes.
    std::stable_sort(actor.log.begin(), actor.log.end(),
                     [](const wire::Record &a, const wire::Record &b) { return a.at < b.at; });
    quint64 position = 0;
    for (wire::Record &record : actor.log)
        record.position = ++position;
    actor.position = position;

    // The part that the link could not carry: the host merged it, the window resynchronises at #1279.
    const quint64 beforeGap = position;
    const Value stateBeforeGap = actor.state;
    change(mockCause("disconnect", "grace"),
           {DeltaOp(DeltaOp::Kind::Remove, mockPath("members.grace")),
            DeltaOp(DeltaOp::Kind::Set, mockPath("unread"), Value(0))},
           mockTime(14, 2, 18, 900), 0);
    const quint64 afterGap = actor.position;
    const Value stateAfterGap = actor.state;

    change(mockCause("inspector", "here"), {DeltaOp(DeltaOp::Kind::Set, mockPath("title"), Value("Lobby"))},
           mockTime(14, 2, 19, 22), 10);
    change(mockCause("connect", "mei"),
           {DeltaOp(DeltaOp::Kind::Set, mockPath("members.mei"), mockMember(8, 90, "Mei", false))},
           mockTime(14, 2, 19, 950), 8);
    Delta prune;
    for (int i = 0; i < 12; ++i)
        prune.append(DeltaOp(DeltaOp::Kind::Remove, mockPath("messages").child(qsizetype(0))));
    change(mockCause("timer", "prune"), prune, mockTime(14, 2, 20, 404), 12);
    const qsizetype place = m_host.state(id)["messages"].size();
    change(mockCause("action", "say", "web-3"),
           {DeltaOp(DeltaOp::Kind::Insert, mockPath("messages").child(place),
                    mockMap({{QStringLiteral("id"), m_said},
                             {QStringLiteral("from"), Value("mei")},
                             {QStringLiteral("text"), Value("shipping at 5")},
                             {QStringLiteral("at"), Value(mockTime(14, 2, 20, 871))}}))},
           mockTime(14, 2, 20, 871), 9);
    change(mockCause("action", "move", "web-7"),
           {DeltaOp(DeltaOp::Kind::Set, mockPath("members.linus.cursor.x"), Value(118))}, mockTime(14, 2, 21, 520), 0);

    // The newest thing the window hears of is 18 ms old.
    m_host.gauge(id, 2, 3, m_now - 18);
    m_host.setBlockers(id,
                       {mockBlocker("connections", 2, true, m_now - 94'000, "", "web-3 and web-7", "not hibernatable"),
                        mockBlocker("keepAwake", 1, true, m_now - 8'200, "turn 41", "action move, chat.cpp:118"),
                        mockBlocker("actions", 0, false), mockBlocker("httpRequests", 0, false),
                        mockBlocker("scheduledHandler", 0, false), mockBlocker("socketCallbacks", 0, false),
                        mockBlocker("disconnectCallbacks", 0, false),
                        mockBlocker("runHandler", 1, false, 0, "", "", "waiting on queue"),
                        mockBlocker("noSleep", 0, false)},
                       mockForecast("blocked"));
    m_host.edit(id, [this](wire::ActorSummary &summary) {
        summary.createdAt = mockTime(13, 49, 12, 467);
        summary.createdBy = mockCause("create", "client web-3");
        summary.since = m_now - 156'000;
        summary.generation = 3;
        summary.lastActivityAt = mockTime(14, 2, 21, 520);
        summary.savedSequence = summary.sequence - 1;
        summary.unsavedSince = m_now - 340;
        summary.rate = 38;
        summary.actionRate = 6.1;
        summary.errors5m = 2;
        summary.connections = 2;
        summary.queueSize = 3;
        summary.queueCapacity = 100;
        summary.schedules = 1;
        summary.nextAlarmAt = m_now + 38'000;
        summary.nextAlarmName = QStringLiteral("prune");
    });
    actor.savedAt = mockTime(14, 2, 20, 880);

    FakeHost &host = m_host;
    m_host.m_firstAnswers.insert(
        id, [&host, id, beforeGap, stateBeforeGap, afterGap, stateAfterGap](FakeHost::Link &link, quint32 request) {
            const FakeHost::Actor &lobby = host.actor(id);
            wire::Subscribed subscribed;
            subscribed.snapshot = host.snapshot(lobby, false);
            subscribed.snapshot.position = beforeGap;
            subscribed.snapshot.sequence = 1278;
            subscribed.snapshot.savedSequence = 1278;
            subscribed.snapshot.state = cbor::encode(stateBeforeGap);
            subscribed.snapshot.keptSince = lobby.log.empty() ? 0 : lobby.log.front().at;
            wire::RecordsAppended later;
            later.actor = id;
            for (const wire::Record &record : lobby.log) {
                if (record.position <= beforeGap)
                    subscribed.snapshot.records.append(record);
                else if (record.position > afterGap)
                    later.records.append(record);
            }
            wire::Dropped dropped;
            dropped.actor = id;
            dropped.count = 37;
            dropped.firstPosition = beforeGap + 1;
            dropped.lastPosition = afterGap;
            dropped.from = mockTime(14, 2, 16, 100);
            dropped.to = mockTime(14, 2, 18, 900);
            dropped.snapshot = host.snapshot(lobby, false);
            dropped.snapshot.position = afterGap;
            dropped.snapshot.sequence = 1279;
            dropped.snapshot.savedSequence = 1279;
            dropped.snapshot.state = cbor::encode(stateAfterGap);
            host.reply(link, request, subscribed);
            host.push(link, dropped);
            host.push(link, later);
        });
}

} // namespace terrarium
