#pragma once
// ACTOR_FIELDS: names the members of a struct once, so that it can be stored, sent and shown.
//
//     struct CounterState {
//         int count = 0;
//         QString lastBy;
//         ACTOR_FIELDS(CounterState, count, lastBy)
//     };
//
// Put it into the public part of the struct, with the struct's own name (in a template: the name without
// arguments) and up to 64 members. Members that are not listed are neither stored nor sent. Works for structs
// inside structs and inside functions. Names are what is written to disk: renaming a member forgets its value.
// Structs that hold other listed structs, lists and maps of them compose; value_codec.h has the whole list.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace terrarium {

/// One listed member: its name and where it is.
template <typename Struct, typename Member>
struct Field {
    using Type = Member;

    constexpr Field(std::string_view name, Member Struct::*member) noexcept : name(name), member(member) {}

    std::string_view name;
    Member Struct::*member;
};

/// True when T itself, not only a base of it, has ACTOR_FIELDS.
template <typename T, typename = void>
inline constexpr bool hasActorFields = false;
template <typename T>
inline constexpr bool hasActorFields<T, std::void_t<typename T::ActorFieldsOf>> =
    std::is_same_v<typename T::ActorFieldsOf, T>;

/// Calls `visit(name, value)` for each listed member, in order.
template <typename T, typename Visit>
constexpr void forEachField(T &object, Visit &&visit)
{
    std::apply([&](const auto &...field) { (visit(field.name, object.*field.member), ...); },
               std::remove_const_t<T>::actorFields());
}

/// Number of listed members.
template <typename T>
inline constexpr std::size_t fieldCount = std::tuple_size_v<decltype(T::actorFields())>;

} // namespace terrarium

#define ACTOR_FIELDS(Type, ...)                                                                                        \
    using ActorFieldsOf [[maybe_unused]] = Type;                                                                       \
    static constexpr auto actorFields() noexcept                                                                       \
    {                                                                                                                  \
        return std::make_tuple(TERRARIUM_FIELDS(Type, __VA_ARGS__));                                                   \
    }

// ---- How it is done: one macro for each number of members ------------------------------------------

#define TERRARIUM_FIELD(T, f) ::terrarium::Field(#f, &T::f)
#define TERRARIUM_FIELDS(T, ...)                                                                                       \
    TERRARIUM_FIELDS_PICK(                                                                                             \
        __VA_ARGS__, TERRARIUM_FIELDS_64, TERRARIUM_FIELDS_63, TERRARIUM_FIELDS_62, TERRARIUM_FIELDS_61,               \
        TERRARIUM_FIELDS_60, TERRARIUM_FIELDS_59, TERRARIUM_FIELDS_58, TERRARIUM_FIELDS_57, TERRARIUM_FIELDS_56,       \
        TERRARIUM_FIELDS_55, TERRARIUM_FIELDS_54, TERRARIUM_FIELDS_53, TERRARIUM_FIELDS_52, TERRARIUM_FIELDS_51,       \
        TERRARIUM_FIELDS_50, TERRARIUM_FIELDS_49, TERRARIUM_FIELDS_48, TERRARIUM_FIELDS_47, TERRARIUM_FIELDS_46,       \
        TERRARIUM_FIELDS_45, TERRARIUM_FIELDS_44, TERRARIUM_FIELDS_43, TERRARIUM_FIELDS_42, TERRARIUM_FIELDS_41,       \
        TERRARIUM_FIELDS_40, TERRARIUM_FIELDS_39, TERRARIUM_FIELDS_38, TERRARIUM_FIELDS_37, TERRARIUM_FIELDS_36,       \
        TERRARIUM_FIELDS_35, TERRARIUM_FIELDS_34, TERRARIUM_FIELDS_33, TERRARIUM_FIELDS_32, TERRARIUM_FIELDS_31,       \
        TERRARIUM_FIELDS_30, TERRARIUM_FIELDS_29, TERRARIUM_FIELDS_28, TERRARIUM_FIELDS_27, TERRARIUM_FIELDS_26,       \
        TERRARIUM_FIELDS_25, TERRARIUM_FIELDS_24, TERRARIUM_FIELDS_23, TERRARIUM_FIELDS_22, TERRARIUM_FIELDS_21,       \
        TERRARIUM_FIELDS_20, TERRARIUM_FIELDS_19, TERRARIUM_FIELDS_18, TERRARIUM_FIELDS_17, TERRARIUM_FIELDS_16,       \
        TERRARIUM_FIELDS_15, TERRARIUM_FIELDS_14, TERRARIUM_FIELDS_13, TERRARIUM_FIELDS_12, TERRARIUM_FIELDS_11,       \
        TERRARIUM_FIELDS_10, TERRARIUM_FIELDS_9, TERRARIUM_FIELDS_8, TERRARIUM_FIELDS_7, TERRARIUM_FIELDS_6,           \
        TERRARIUM_FIELDS_5, TERRARIUM_FIELDS_4, TERRARIUM_FIELDS_3, TERRARIUM_FIELDS_2, TERRARIUM_FIELDS_1, ~)         \
    (T, __VA_ARGS__)
// clang-format off
#define TERRARIUM_FIELDS_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, _19, \
    _20, _21, _22, _23, _24, _25, _26, _27, _28, _29, _30, _31, _32, _33, _34, _35, _36, _37, _38, _39, _40, _41, _42, \
    _43, _44, _45, _46, _47, _48, _49, _50, _51, _52, _53, _54, _55, _56, _57, _58, _59, _60, _61, _62, _63, _64, name, \
    ...) name
#define TERRARIUM_FIELDS_1(T, f) TERRARIUM_FIELD(T, f)
#define TERRARIUM_FIELDS_2(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_1(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_3(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_2(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_4(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_3(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_5(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_4(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_6(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_5(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_7(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_6(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_8(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_7(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_9(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_8(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_10(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_9(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_11(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_10(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_12(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_11(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_13(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_12(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_14(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_13(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_15(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_14(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_16(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_15(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_17(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_16(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_18(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_17(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_19(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_18(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_20(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_19(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_21(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_20(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_22(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_21(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_23(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_22(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_24(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_23(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_25(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_24(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_26(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_25(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_27(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_26(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_28(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_27(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_29(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_28(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_30(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_29(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_31(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_30(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_32(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_31(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_33(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_32(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_34(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_33(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_35(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_34(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_36(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_35(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_37(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_36(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_38(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_37(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_39(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_38(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_40(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_39(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_41(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_40(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_42(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_41(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_43(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_42(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_44(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_43(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_45(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_44(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_46(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_45(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_47(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_46(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_48(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_47(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_49(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_48(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_50(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_49(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_51(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_50(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_52(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_51(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_53(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_52(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_54(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_53(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_55(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_54(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_56(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_55(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_57(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_56(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_58(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_57(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_59(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_58(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_60(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_59(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_61(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_60(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_62(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_61(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_63(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_62(T, __VA_ARGS__)
#define TERRARIUM_FIELDS_64(T, f, ...) TERRARIUM_FIELD(T, f), TERRARIUM_FIELDS_63(T, __VA_ARGS__)
// clang-format on
