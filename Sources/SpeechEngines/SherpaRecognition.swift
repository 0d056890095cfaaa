import CSherpaOnnx
import EchoText

/// The functions of sherpa-onnx that hear, loaded at run time as ``SherpaLibrary`` loads those that speak.
struct SherpaRecognition: Sendable {
    let create: @Sendable @convention(c) (UnsafePointer<SherpaOnnxOfflineRecognizerConfig>?) -> OpaquePointer?
    let destroy: @Sendable @convention(c) (OpaquePointer?) -> Void
    let stream: @Sendable @convention(c) (OpaquePointer?) -> OpaquePointer?
    let streamWithHotwords: @Sendable @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> OpaquePointer?
    let destroyStream: @Sendable @convention(c) (OpaquePointer?) -> Void
    let accept: @Sendable @convention(c) (OpaquePointer?, Int32, UnsafePointer<Float>?, Int32) -> Void
    let decode: @Sendable @convention(c) (OpaquePointer?, OpaquePointer?) -> Void
    let result: @Sendable @convention(c) (OpaquePointer?) -> UnsafePointer<SherpaOnnxOfflineRecognizerResult>?
    let destroyResult: @Sendable @convention(c) (UnsafePointer<SherpaOnnxOfflineRecognizerResult>?) -> Void

    /// - Throws: ``EngineError``.
    init(folder: String?) throws(EngineError) {
        let image = try LoadedImage.sherpaOnnx(in: folder)
        create = try image.function("SherpaOnnxCreateOfflineRecognizer")
        destroy = try image.function("SherpaOnnxDestroyOfflineRecognizer")
        stream = try image.function("SherpaOnnxCreateOfflineStream")
        streamWithHotwords = try image.function("SherpaOnnxCreateOfflineStreamWithHotwords")
        destroyStream = try image.function("SherpaOnnxDestroyOfflineStream")
        accept = try image.function("SherpaOnnxAcceptWaveformOffline")
        decode = try image.function("SherpaOnnxDecodeOfflineStream")
        result = try image.function("SherpaOnnxGetOfflineStreamResult")
        destroyResult = try image.function("SherpaOnnxDestroyOfflineRecognizerResult")
    }
}

/// The functions of sherpa-onnx that detect voices.
struct SherpaDetecting: Sendable {
    let create: @Sendable @convention(c) (UnsafePointer<SherpaOnnxVadModelConfig>?, Float) -> OpaquePointer?
    let destroy: @Sendable @convention(c) (OpaquePointer?) -> Void
    let accept: @Sendable @convention(c) (OpaquePointer?, UnsafePointer<Float>?, Int32) -> Void
    let detected: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let isEmpty: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let dropFirst: @Sendable @convention(c) (OpaquePointer?) -> Void

    /// - Throws: ``EngineError``.
    init(folder: String?) throws(EngineError) {
        let image = try LoadedImage.sherpaOnnx(in: folder)
        create = try image.function("SherpaOnnxCreateVoiceActivityDetector")
        destroy = try image.function("SherpaOnnxDestroyVoiceActivityDetector")
        accept = try image.function("SherpaOnnxVoiceActivityDetectorAcceptWaveform")
        detected = try image.function("SherpaOnnxVoiceActivityDetectorDetected")
        isEmpty = try image.function("SherpaOnnxVoiceActivityDetectorEmpty")
        dropFirst = try image.function("SherpaOnnxVoiceActivityDetectorPop")
    }
}
