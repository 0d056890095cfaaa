/// A field that is encoded as `null` without a value instead of being omitted, so that scripts need not distinguish the
/// two.
@propertyWrapper
package struct Nullable<Value: Encodable>: Encodable {
    package var wrappedValue: Value?

    // Only with an initializer that is written out does that of a whole answer take the value itself.
    package init(wrappedValue value: Value?) {
        wrappedValue = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard let wrappedValue else { return try container.encodeNil() }
        try container.encode(wrappedValue)
    }
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
