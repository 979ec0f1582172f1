// The forms of awaiting that this code base allows, counted: every object made is destroyed once.
//
// GCC 12 miscompiles other forms (see <terrarium/task.h>); the lint keeps those out. This test keeps the allowed
// ones honest with every compiler that builds it.

#include "async/wait.h"
#include "testing/simulated_environment.h"

#include <QtTest>

#include <map>
#include <memory>
#include <optional>
#include <vector>

using namespace terrarium;
using terrarium::testing::SimulatedEnvironment;

namespace {

/// Knows how many of its kind are alive, and notices being copied bit by bit.
struct Counted {
    Counted(int value = 0) : value(value), self(this) { ++alive; }
    Counted(const Counted &other) : value(other.value), self(this) { ++alive; }
    Counted(Counted &&other) noexcept : value(other.value), self(this)
    {
        other.value = -1;
        ++alive;
    }
    Counted &operator=(const Counted &) = default;
    Counted &operator=(Counted &&other) noexcept
    {
        value = std::exchange(other.value, -1);
        return *this;
    }
    ~Counted()
    {
        if (self != this)
            ++broken;
        --alive;
    }
    int value;
    const Counted *self;
    static int alive;
    static int broken;
};
int Counted::alive = 0;
int Counted::broken = 0;

struct Aggregate {
    Counted a;
    Counted b;
};

struct WithConstructor {
    WithConstructor(Counted a, int n) : a(std::move(a)), n(n) {}
    Task<int> member(Counted more) const { co_return a.value + more.value + n; }
    Counted a;
    int n;
};

/// Half of the awaits are ready at once, half suspend.
struct World {
    explicit World(bool suspends) : suspends(suspends) {}
    SimulatedEnvironment env;
    TurnSlot slot{env.environment().executor};
    bool suspends;

    Task<int> give(int value)
    {
        if (suspends) {
            Wait<> wait(slot);
            wait.finish();
            Wait<> later(slot);
            slot.executor().post([&later] { later.finish(); });
            co_await wait.done();
            co_await later.done();
        }
        co_return value;
    }
    Task<Counted> make(int value)
    {
        const int n = co_await give(value);
        co_return Counted(n);
    }
    Task<int> byValue(Counted counted) { co_return co_await give(counted.value); }
    Task<int> byReference(const Counted &counted) { co_return co_await give(counted.value); }
    Task<int> byRvalue(Counted &&counted)
    {
        const Counted mine(std::move(counted));
        co_return co_await give(mine.value);
    }
    Task<int> byDefault(Counted counted = Counted(5)) { co_return co_await give(counted.value); }
    Task<int> sum(Aggregate aggregate) { co_return co_await give(aggregate.a.value + aggregate.b.value); }
    Task<int> call(std::function<int(int)> function, int argument) { co_return function(co_await give(argument)); }
    Task<Aggregate> pair(int a, int b)
    {
        Counted first = co_await make(a);
        Counted second = co_await make(b);
        co_return Aggregate{std::move(first), std::move(second)};
    }
    Task<int> fail(const QString &code)
    {
        const int n = co_await give(1);
        if (n == 1)
            throw Error(QStringLiteral("test"), code, QStringLiteral("wanted"));
        co_return n;
    }
};

using Form = Task<int> (*)(World &);

Task<int> temporariesWithConstructor(World &w)
{
    int sum = co_await w.byValue(Counted(1));
    sum += co_await w.byReference(Counted(2));
    sum += co_await w.byRvalue(Counted(3));
    sum += co_await w.byDefault();
    co_return sum; // 11
}

Task<int> awaitedResultAsObject(World &w)
{
    const Counted a = co_await w.make(4);
    const Counted &b = co_await w.make(5);
    co_return a.value + b.value + 2; // 11
}

Task<int> aggregateNamedFirst(World &w)
{
    Aggregate aggregate{Counted(5), Counted(6)};
    co_return co_await w.sum(std::move(aggregate)); // 11
}

Task<int> taskNamedFirst(World &w)
{
    auto task = w.sum(Aggregate{Counted(5), Counted(6)});
    co_return co_await task;
}

Task<int> namedCapturingLambda(World &w)
{
    const Counted kept(1);
    auto function = [kept](int n) { return n + kept.value; };
    co_return co_await w.call(std::move(function), 10);
}

Task<int> referenceCapturingLambda(World &w)
{
    int extra = 1;
    co_return co_await w.call([&extra](int n) { return n + extra; }, 10);
}

Task<int> ifInsteadOfConditional(World &w)
{
    int sum = 0;
    for (int i = 0; i < 2; ++i) {
        if (i == 0)
            sum += co_await w.give(5);
        else
            sum += co_await w.give(6);
    }
    co_return sum;
}

Task<int> conditionsAndLoops(World &w)
{
    int sum = 0;
    while (co_await w.give(sum) < 5)
        ++sum;
    if (const int n = co_await w.give(6); n > 5)
        sum += n;
    if (co_await w.give(0) && co_await w.give(1))
        sum += 1000;
    if (co_await w.give(0) || co_await w.give(1))
        sum += 0;
    co_return sum; // 11
}

Task<std::vector<int>> list(World &w)
{
    std::vector<int> result;
    result.push_back(co_await w.give(5));
    result.push_back(co_await w.give(6));
    co_return result;
}

Task<int> rangeForOverAwaited(World &w)
{
    int sum = 0;
    const auto values = co_await list(w);
    for (const int value : values)
        sum += value;
    co_return sum;
}

Task<int> structuredBinding(World &w)
{
    const auto [a, b] = co_await w.pair(5, 6);
    co_return a.value + b.value;
}

Task<int> nestedAwaits(World &w)
{
    co_return co_await w.byValue(Counted(co_await w.give(co_await w.give(11))));
}

Task<int> exceptionsThroughTemporaries(World &w)
{
    int sum = 0;
    try {
        sum += co_await w.byValue(Counted(co_await w.fail(QStringLiteral("a"))));
    } catch (const Error &error) {
        sum += error.code() == QLatin1String("a") ? 11 : 0;
    }
    co_return sum;
}

Task<int> lambdaWithParameters(World &w)
{
    const auto body = [](World &world, Counted counted) -> Task<int> {
        const int n = co_await world.give(counted.value);
        co_return n;
    };
    co_return co_await body(w, Counted(11));
}

Task<int> pointersAndOptionals(World &w)
{
    const auto take = [](World &world, std::unique_ptr<Counted> p, std::optional<Counted> o) -> Task<int> {
        co_return co_await world.give(p->value + o->value);
    };
    co_return co_await take(w, std::make_unique<Counted>(5), std::optional<Counted>(6));
}

Task<int> memberOfNamedObject(World &w)
{
    const WithConstructor object(Counted(3), 4);
    const int n = co_await w.give(4);
    co_return co_await object.member(Counted(n));
}

Task<int> manyReadyAwaitsDoNotGrowTheStack(World &w)
{
    int sum = 0;
    const bool suspends = std::exchange(w.suspends, false);
    for (int i = 0; i < 300'000; ++i)
        sum += co_await w.give(i % 2);
    w.suspends = suspends;
    co_return sum - 149'989; // 11
}

} // namespace

Q_DECLARE_METATYPE(Form)

class tst_CoroutineForms : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allowedForm_data()
    {
        QTest::addColumn<Form>("form");
        QTest::newRow("temporaries with a constructor") << Form(temporariesWithConstructor);
        QTest::newRow("awaited result as object") << Form(awaitedResultAsObject);
        QTest::newRow("aggregate named first") << Form(aggregateNamedFirst);
        QTest::newRow("task named first") << Form(taskNamedFirst);
        QTest::newRow("named capturing lambda") << Form(namedCapturingLambda);
        QTest::newRow("lambda that captures references") << Form(referenceCapturingLambda);
        QTest::newRow("if instead of conditional") << Form(ifInsteadOfConditional);
        QTest::newRow("conditions and loops") << Form(conditionsAndLoops);
        QTest::newRow("range-for over an awaited list") << Form(rangeForOverAwaited);
        QTest::newRow("structured binding") << Form(structuredBinding);
        QTest::newRow("nested awaits") << Form(nestedAwaits);
        QTest::newRow("exceptions through temporaries") << Form(exceptionsThroughTemporaries);
        QTest::newRow("coroutine lambda with parameters") << Form(lambdaWithParameters);
        QTest::newRow("pointers and optionals") << Form(pointersAndOptionals);
        QTest::newRow("member of a named object") << Form(memberOfNamedObject);
        QTest::newRow("300,000 ready awaits") << Form(manyReadyAwaitsDoNotGrowTheStack);
    }

    void allowedForm()
    {
        QFETCH(Form, form);
        for (const bool suspends : {false, true}) {
            Counted::alive = 0;
            Counted::broken = 0;
            int result = -1;
            {
                World world(suspends);
                const auto outer = [](World &w, Form form, int &result) -> Task<> { result = co_await form(w); };
                const auto task = outer(world, form, result);
                world.env.runUntilIdle();
            }
            QCOMPARE(result, 11);
            QCOMPARE(Counted::alive, 0);
            QCOMPARE(Counted::broken, 0);
        }
    }
};

QTEST_GUILESS_MAIN(tst_CoroutineForms)
#include "tst_coroutine_forms.moc"
