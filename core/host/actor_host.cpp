#include <terrarium/host.h>

#include "async/qt_environment.h"
#include "async/wait.h"
#include "host/host_core.h"

namespace terrarium {

namespace {

HostOptions actorHostOptions(ActorHostOptions &&given)
{
    HostOptions options;
    options.dataDir = std::move(given.dataDir);
    options.durability = given.survivesPowerCut ? Durability::Power : Durability::Process;
    options.name = std::move(given.name);
    return options;
}

} // namespace

struct ActorHost::Private {
    explicit Private(ActorHostOptions &&options)
        : own(std::make_unique<QtEnvironment>()),
          slot(std::make_unique<TurnSlot>(own->environment().executor)),
          core(std::make_unique<HostCore>(own->environment(), actorHostOptions(std::move(options))))
    {}
    Private(Environment &environment, ActorHostOptions &&options)
        : slot(std::make_unique<TurnSlot>(environment.executor)),
          core(std::make_unique<HostCore>(environment, actorHostOptions(std::move(options))))
    {}

    std::unique_ptr<QtEnvironment> own; // null: the caller's is used
    std::unique_ptr<TurnSlot> slot;
    std::unique_ptr<HostCore> core;
};

ActorHost::ActorHost(ActorHostOptions options) : d(std::make_unique<Private>(std::move(options))) {}

ActorHost::ActorHost(Environment &environment, ActorHostOptions options)
    : d(std::make_unique<Private>(environment, std::move(options)))
{}

ActorHost::~ActorHost() = default;

void ActorHost::add(TypeDefinition type)
{
    d->core->add(std::move(type));
}

void ActorHost::open()
{
    d->core->open();
}

Task<> ActorHost::stop()
{
    const auto stopped = std::make_shared<Wait<>>(*d->slot);
    d->core->stop([stopped](std::optional<Error> error) {
        if (error)
            stopped->fail(*error);
        else
            stopped->finish();
    });
    co_await stopped->done();
}

Task<Value> ActorHost::call(QString type, ActorKey key, QString action, Value args)
{
    const Cause cause(QStringLiteral("action"), action);
    const ActorRef actor = d->core->getOrCreate(type, key, std::nullopt, Cause(QStringLiteral("create"))).first;
    const auto answered = std::make_shared<Wait<Value>>(*d->slot);
    d->core->call(actor.id, action, std::move(args), Value(), cause, 0, [answered](CallOutcome &&outcome) {
        if (auto *error = std::get_if<Error>(&outcome.result))
            answered->fail(std::move(*error));
        else
            answered->finish(std::get<Value>(std::move(outcome.result)));
    });
    Value result = co_await answered->done();
    co_return result;
}

Task<Value> ActorHost::callMember(QString type, ActorKey key, QByteArray action, Value args)
{
    const QString name = d->core->actionName(type, action);
    Task<Value> answer = call(std::move(type), std::move(key), name, std::move(args));
    Value result = co_await std::move(answer);
    co_return result;
}

HostCore &ActorHost::core() noexcept
{
    return *d->core;
}

} // namespace terrarium
