#pragma once
// An order that is paid step by step and fails at a known one: the second try to charge succeeds.
// Shows: handlers that wait, errors that keep what was done before, and how one sees where it stopped.

#include <terrarium/terrarium.h>

namespace terrarium::examples {

struct OrderLine {
    QString item;
    qint64 cents = 0;
    ACTOR_FIELDS(OrderLine, item, cents)
};

struct CheckoutState {
    QList<OrderLine> lines;
    qint64 total = 0;
    QString step = QStringLiteral("open");
    int chargeTries = 0;
    QString lastError;
    QString receipt;
    ACTOR_FIELDS(CheckoutState, lines, total, step, chargeTries, lastError, receipt)
};

class Checkout : public Actor<CheckoutState> {
public:
    using Actor::Actor;
    static constexpr Event<QString> stepChanged{"stepChanged"};

    qint64 addItem(const QString &item, qint64 cents)
    {
        if (cents <= 0) {
            throw Error(QStringLiteral("checkout"), QStringLiteral("bad_price"),
                        QStringLiteral("the price of %1 must be above 0, not %2").arg(item).arg(cents));
        }
        state().lines.append(OrderLine{item, cents});
        state().total += cents;
        return state().total;
    }
    Task<QString> pay()
    {
        if (state().lines.isEmpty())
            throw Error(QStringLiteral("checkout"), QStringLiteral("empty"), QStringLiteral("the order has no items"));
        setStep(QStringLiteral("reserve"));
        co_await delay(std::chrono::milliseconds(150));
        setStep(QStringLiteral("chargeCard"));
        co_await delay(std::chrono::milliseconds(250));
        if (++state().chargeTries < 2) {
            state().lastError = QStringLiteral("declined");
            throw Error(QStringLiteral("checkout"), QStringLiteral("declined"),
                        QStringLiteral("the bank declined %1 cents at the first try").arg(state().total));
        }
        state().lastError.clear();
        state().receipt = QStringLiteral("R-%1").arg(state().total);
        setStep(QStringLiteral("shipped"));
        co_return state().receipt;
    }
    QString step() const { return state().step; }

    static auto type()
    {
        return ActorType<Checkout>("checkout")
            .action("addItem", &Checkout::addItem, {"item", "cents"})
            .action("pay", &Checkout::pay)
            .help("Reserves, charges, ships. The bank declines the first try.")
            .action("step", &Checkout::step)
            .event(stepChanged);
    }

private:
    void setStep(const QString &step)
    {
        state().step = step;
        broadcast(stepChanged, step);
    }
};

} // namespace terrarium::examples
