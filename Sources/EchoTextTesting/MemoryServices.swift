package import EchoText

/// Services without a disk.
package actor MemoryServices: TranscriptionServices {
    private var kept: [ServiceName: TranscriptionService] = [:]

    package init() {}

    package func services() -> [TranscriptionService] { kept.values.sorted { $0.name.text < $1.name.text } }

    package func save(_ service: TranscriptionService) throws {
        guard kept[service.name] != nil || kept.count < TranscriptionServiceLimits.services else {
            throw TranscriptionServiceError.tooMany(limit: TranscriptionServiceLimits.services)
        }
        kept[service.name] = service
    }

    package func delete(_ name: ServiceName) throws {
        guard kept.removeValue(forKey: name) != nil else { throw TranscriptionServiceError.notFound }
    }
}
