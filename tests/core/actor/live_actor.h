#pragma once
// A live actor without a host: storage in memory whose commits a test can hold back or fail, an observer that
// remembers, an owner that answers wishes as the host does. Time and order belong to the test.

#include "adapter/make_actor.h"
#include "testing/simulated_environment.h"

#include <terrarium/terrarium.h>

#include <QtTest>

#include <deque>
#include <memory>
#include <vector>

namespace terrarium::testing {

/// One actor's rows, outliving its incarnations.
struct Disk {
    StoredActor rows;
    int commits = 0;
    int stateWrites = 0;
    int reads = 0;
    bool destroyed = false;
    bool holdsBack = false;     ///< commits wait until it is false
    std::optional<Error> fault; ///< every commit fails with it
    std::vector<std::pair<std::function<void()>, CommitDone>> pending;

    void commitTurn()
    {
        while (!pending.empty() && !holdsBack) {
            auto due = std::move(pending);
            pending.clear();
            for (auto &[apply, done] : due) {
                if (fault) {
                    done(fault);
                    continue;
                }
                ++commits;
                apply();
                done(std::nullopt);
            }
        }
    }
};

class DiskStorage final : public ActorStorage {
public:
    explicit DiskStorage(Disk &disk) : m_disk(disk), m_row(disk.rows.actor) {}

    const ActorRow &actor() const noexcept override { return m_row; }
    StoredActor load() override
    {
        ++m_disk.reads;
        if (m_disk.destroyed)
            throw Error(QStringLiteral("actor"), QStringLiteral("not_found"), QStringLiteral("destroyed"));
        return m_disk.rows;
    }
    void commit(WriteBatch batch, CommitDone done) override
    {
        Disk *disk = &m_disk;
        m_disk.pending.emplace_back(
            [disk, batch = std::move(batch)] {
                for (const WriteBatch::Write &write : batch.writes()) {
                    if (const auto *state = std::get_if<WriteBatch::SaveState>(&write)) {
                        disk->rows.state = state->state;
                        disk->rows.savedAt = state->savedAt;
                        ++disk->stateWrites;
                    } else if (std::holds_alternative<WriteBatch::SetInitialized>(write)) {
                        disk->rows.hasInitialized = true;
                    } else if (const auto *put = std::get_if<WriteBatch::PutSchedule>(&write)) {
                        remove(*disk, put->row.eventId);
                        disk->rows.schedules.append(put->row);
                    } else if (const auto *gone = std::get_if<WriteBatch::DeleteSchedule>(&write)) {
                        remove(*disk, gone->eventId);
                    }
                }
            },
            std::move(done));
    }
    void destroy(qint64, CommitDone done) override
    {
        Disk *disk = &m_disk;
        m_disk.pending.emplace_back([disk] { disk->destroyed = true; }, std::move(done));
    }

private:
    static void remove(Disk &disk, const QString &eventId)
    {
        disk.rows.schedules.removeIf([&](const ScheduleRow &row) { return row.eventId == eventId; });
    }

    Disk &m_disk;
    ActorRow m_row;
};

/// Remembers everything as short texts, in order, and the states as values.
class Recorder final : public ActorObserver {
public:
    QStringList log;
    QStringList transitions; ///< "started>sleepGrace idle"
    std::vector<StateChange> changes;
    std::vector<Transition> fullTransitions;
    quint64 savedRevision = 0;
    quint64 sequence = 0;

    void transition(const Transition &t) override
    {
        transitions << QStringLiteral("%1>%2 %3").arg(lifecycleName(t.from), lifecycleName(t.to), t.reason);
        log << transitions.constLast();
        fullTransitions.push_back(t);
    }
    void hookRunning(const QString &name) override
    {
        if (!name.isEmpty())
            log << QStringLiteral("hook %1").arg(name);
    }
    quint64 stateChanged(const StateChange &change) override
    {
        changes.push_back(change);
        log << QStringLiteral("change %1").arg(causes(change));
        return ++sequence;
    }
    void saved(quint64 revision, qint64) override
    {
        savedRevision = revision;
        log << QStringLiteral("saved");
    }
    void callFinished(const FinishedCall &call) override
    {
        log << QStringLiteral("call %1 %2")
                   .arg(call.cause.name, call.error == nullptr ? QStringLiteral("ok") : call.error->code());
    }
    void note(const QString &kind, const QString &, const Error *) override
    {
        log << QStringLiteral("note %1").arg(kind);
    }
    void awakeBegan(quint64, const QString &, const QString &label) override
    {
        log << QStringLiteral("awake %1").arg(label);
    }

    static QString causes(const StateChange &change)
    {
        QStringList texts;
        for (const Cause &cause : change.causes)
            texts << (cause.name.isEmpty() ? cause.kind : QStringLiteral("%1 %2").arg(cause.kind, cause.name));
        return texts.join(QStringLiteral(", "));
    }
};

/// Where a client's events go.
class Events final : public ConnectionOutlet {
public:
    QStringList log;
    void event(const QString &name, const Value &args, const std::shared_ptr<QByteArray> &) override
    {
        log << QStringLiteral("%1 %2").arg(name).arg(args.at(0).toInt());
    }
    void closed(quint16 code, const QString &reason) override
    {
        log << QStringLiteral("closed %1 %2").arg(code).arg(reason);
    }
};

/// Answers of calls, in the order they arrived.
struct Answer {
    std::optional<ActionOutcome> outcome;
    bool isIn() const { return outcome.has_value(); }
    Value value() const { return outcome ? std::get<Value>(outcome->result) : Value::undefined(); }
    /// "group/code", or nothing.
    QString error() const
    {
        if (!outcome || !std::holds_alternative<Error>(outcome->result))
            return {};
        const Error &error = std::get<Error>(outcome->result);
        return error.group() + QLatin1Char('/') + error.code();
    }
    Error fullError() const { return std::get<Error>(outcome->result); }
};

class LiveActor final : public ActorOwner {
public:
    explicit LiveActor(TypeDefinition type, quint64 seed = 1)
        : env(seed),
          type(std::make_shared<const TypeDefinition>(std::move(type)))
    {
        disk.rows.actor.row = 1;
        disk.rows.actor.id = QStringLiteral("actor1");
        disk.rows.actor.type = this->type->name;
        disk.rows.actor.key = ActorKey(QStringLiteral("k"));
        env.onTurnEnd([this] {
            saves.run();
            disk.commitTurn();
        });
    }
    ~LiveActor() override { task.reset(); }

    SimulatedEnvironment env;
    std::shared_ptr<const TypeDefinition> type;
    std::shared_ptr<const ActorConfig> config;
    Disk disk;
    Recorder seen;
    TurnSaves saves;
    std::shared_ptr<ActorTask> task;
    QStringList wishes; ///< "sleep idle", "destroy", "crashed: text", "ended"
    std::optional<Error> endedWith;
    bool answersWishes = true;
    std::optional<Error> startError;
    bool startAnswered = false;
    std::optional<Error> stopError;
    bool stopAnswered = false;

    void make()
    {
        ++disk.rows.actor.generation;
        task = makeActor(ActorParts(env.environment(), std::make_unique<DiskStorage>(disk), seen, *this, saves, config),
                         type);
    }
    /// Makes it and starts it, until idle.
    ActorTask &start()
    {
        make();
        begin();
        env.runUntilIdle();
        return *task;
    }
    /// The same for a start that may end the actor.
    void tryStart()
    {
        make();
        begin();
        env.runUntilIdle();
    }
    void begin()
    {
        startAnswered = false;
        StartCommand command;
        command.why = QStringLiteral("request");
        command.cause = Cause(QStringLiteral("host"), QStringLiteral("test"));
        command.reply = [this](const std::optional<Error> &error) {
            startAnswered = true;
            startError = error;
        };
        task->start(std::move(command));
    }
    void stop(StopReason reason = StopReason::Sleep, const QString &why = QStringLiteral("inspector"))
    {
        stopAnswered = false;
        StopCommand command;
        command.reason = reason;
        command.why = why;
        command.cause = Cause(QStringLiteral("inspector"), QStringLiteral("me"));
        command.reply = [this](const std::optional<Error> &error) {
            stopAnswered = true;
            stopError = error;
        };
        task->stop(std::move(command));
    }
    /// Queues a call; run the environment to see its answer.
    std::shared_ptr<Answer> post(const QString &name, std::vector<Value> args = {},
                                 std::shared_ptr<ActorConnection> from = nullptr)
    {
        auto answer = std::make_shared<Answer>();
        ActionCommand command;
        command.name = name;
        command.args = Value::array(std::move(args));
        command.connection = std::move(from);
        command.cause = Cause(QStringLiteral("action"), name);
        const int number = ++m_calls;
        command.reply = [this, answer, number](ActionOutcome &&outcome) {
            answers << number;
            answer->outcome = std::move(outcome);
        };
        task->dispatch(std::move(command));
        return answer;
    }
    std::shared_ptr<Answer> call(const QString &name, std::vector<Value> args = {},
                                 std::shared_ptr<ActorConnection> from = nullptr)
    {
        auto answer = post(name, std::move(args), std::move(from));
        env.runUntilIdle();
        return answer;
    }
    std::shared_ptr<ActorConnection> connect(ConnectionOutlet *outlet, Value params = {})
    {
        auto opened = std::make_shared<std::shared_ptr<ActorConnection>>();
        OpenCommand command;
        command.params = std::move(params);
        command.outlet = outlet;
        command.cause = Cause(QStringLiteral("connect"));
        command.reply = [this, opened](std::variant<std::shared_ptr<ActorConnection>, Error> &&result) {
            if (auto *connection = std::get_if<std::shared_ptr<ActorConnection>>(&result))
                *opened = *connection;
            else
                connectError = std::get<Error>(result);
        };
        task->dispatch(std::move(command));
        env.runUntilIdle();
        return *opened;
    }
    void close(std::shared_ptr<ActorConnection> connection)
    {
        task->dispatch(CloseCommand{std::move(connection)});
        env.runUntilIdle();
    }
    Value stored() const { return disk.rows.state.isEmpty() ? Value() : decodeCbor<Value>(disk.rows.state); }
    QString awake(const QString &kind) const
    {
        for (const AwakeReason &reason : task->awakeReasons()) {
            if (reason.kind == kind)
                return QStringLiteral("%1 %2 %3")
                    .arg(reason.count)
                    .arg(reason.on ? QStringLiteral("on") : QStringLiteral("off"), reason.label)
                    .trimmed();
        }
        return {};
    }

    QList<int> answers; ///< numbers of calls in the order of their answers
    std::optional<Error> connectError;

    // ActorOwner
    void sleepRequested(ActorTask &, const QString &why, const Cause &) override
    {
        wishes << QStringLiteral("sleep %1").arg(why);
        if (answersWishes)
            stop(StopReason::Sleep, why);
    }
    void destroyRequested(ActorTask &, const Cause &) override
    {
        wishes << QStringLiteral("destroy");
        if (answersWishes)
            stop(StopReason::Destroy, QStringLiteral("self"));
    }
    void crashed(ActorTask &, const Error &error) override
    {
        wishes << QStringLiteral("crashed: %1").arg(error.message());
        if (answersWishes)
            stop(StopReason::Sleep, QStringLiteral("crash"));
    }
    void terminated(ActorTask &, const std::optional<Error> &error) override
    {
        wishes << QStringLiteral("ended");
        endedWith = error;
        task.reset();
    }

private:
    int m_calls = 0;
};

} // namespace terrarium::testing
