#pragma once
// One section on a scripted host, without the window around it: what the actor page does, by hand.

#include "sections/section.h"
#include "sections/section_registry.h"
#include "style/theme.h"
#include "testing/fake_host.h"
#include "testing/simulated_environment.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <memory>

namespace terrarium::testing {

struct SectionFixture {
    explicit SectionFixture(const QString &sectionId)
        : host(std::make_unique<FakeHost>(environment, QStringLiteral("fake")))
    {
        begin(sectionId);
    }
    /// On the host of the pictures.
    enum Mock { MockShop };
    SectionFixture(const QString &sectionId, Mock) : host(nullptr)
    {
        environment.jumpWallClock(std::chrono::milliseconds(FakeHost::mockNow() - environment.clock().wallMs()));
        host = FakeHost::mockShop(environment);
        begin(sectionId);
    }

    void show(const QString &actorId)
    {
        ui::SectionContext context;
        context.client = client.get();
        context.feed = client->feed(actorId);
        context.cursor = &cursor;
        context.clock = &environment.clock();
        section->setContext(context);
        beat();
    }
    void settle()
    {
        do {
            environment.runUntilIdle();
            client->beat();
            environment.runUntilIdle();
        } while (client->hasPending());
    }
    /// Everything that is ready arrives, then the section's beat.
    void beat()
    {
        settle();
        section->beat();
        settle(); // answers to what the section asked for
        section->beat();
    }
    void advance(std::chrono::milliseconds duration)
    {
        environment.advance(duration);
        beat();
        section->tick();
        beat();
    }
    template <typename T>
    T *find(const char *name) const
    {
        return section->findChild<T *>(QString::fromLatin1(name));
    }
    template <typename T>
    T *need(const char *name) const
    {
        T *found = find<T>(name);
        if (!found)
            qFatal("no %s", name);
        return found;
    }
    static void clickRow(QAbstractItemView *view, const QModelIndex &index)
    {
        view->scrollTo(index);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
    }

    SimulatedEnvironment environment{1};
    std::unique_ptr<FakeHost> host;
    std::unique_ptr<InspectorClient> client;
    ui::TimeCursor cursor;
    std::unique_ptr<ui::Section> section;

private:
    void begin(const QString &sectionId)
    {
        client = std::make_unique<InspectorClient>(environment, host->address(), QStringLiteral("tester"));
        client->open();
        settle();
        section.reset(ui::section_registry::create(sectionId, nullptr));
        section->resize(807, 653);
        section->show();
        section->setActive(true);
    }
};

/// Settings go to a folder of the test; the theme is installed once.
inline void prepareSectionTest()
{
    static QTemporaryDir folder;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    QCoreApplication::setOrganizationName(QStringLiteral("terrarium-test"));
    QCoreApplication::setApplicationName(QStringLiteral("sections"));
    ui::theme().install(*qApp);
    ui::theme().setMode(ui::ThemeMode::Light);
}

} // namespace terrarium::testing
