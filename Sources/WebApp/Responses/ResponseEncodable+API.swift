import API
import Hummingbird

// The values of `API` as whole answers of a route.

extension HistoryResponse: ResponseEncodable {}
extension ItemResponse: ResponseEncodable {}
extension PageResponse: ResponseEncodable {}
extension ServiceTrialResponse: ResponseEncodable {}
extension SessionResponse: ResponseEncodable {}
extension SettingResponse: ResponseEncodable {}
extension SoundImportResponse: ResponseEncodable {}
extension SpeechResponse: ResponseEncodable {}
extension TranscriptionResponse: ResponseEncodable {}
extension TranscriptionServiceResponse: ResponseEncodable {}
