#pragma once
// Precompiled for the window: what nearly every file reads, nothing of ours.

#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QApplication>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>
