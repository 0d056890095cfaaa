import API
import Hummingbird

// The values of `API` as whole answers of a route.

extension BatchResponse: ResponseEncodable {}
extension ChapterResponse: ResponseEncodable {}
extension CreatedAPIKeyResponse: ResponseEncodable {}
extension DocumentListResponse: ResponseEncodable {}
extension DocumentResponse: ResponseEncodable {}
extension HistoryResponse: ResponseEncodable {}
extension ImportResponse: ResponseEncodable {}
extension ItemResponse: ResponseEncodable {}
extension ItemTextResponse: ResponseEncodable {}
extension NarrationResponse: ResponseEncodable {}
extension PageResponse: ResponseEncodable {}
extension PlaybackResponse: ResponseEncodable {}
extension PracticeResponse: ResponseEncodable {}
extension ProfileResponse: ResponseEncodable {}
extension RecognizersResponse: ResponseEncodable {}
extension ServiceTrialResponse: ResponseEncodable {}
extension SessionResponse: ResponseEncodable {}
extension SettingResponse: ResponseEncodable {}
extension SoundImportResponse: ResponseEncodable {}
extension SpeechCheckResponse: ResponseEncodable {}
extension SpeechResponse: ResponseEncodable {}
extension SpokenResponse: ResponseEncodable {}
extension SpokenSentenceResponse: ResponseEncodable {}
extension StructureResponse: ResponseEncodable {}
extension TakeResponse: ResponseEncodable {}
extension TimingResponse: ResponseEncodable {}
extension TranscriptDifferencesResponse: ResponseEncodable {}
extension TranscriptResponse: ResponseEncodable {}
extension TranscriptionResponse: ResponseEncodable {}
extension TranscriptionServiceResponse: ResponseEncodable {}
extension UnfinishedResponse: ResponseEncodable {}
extension VoiceListingResponse: ResponseEncodable {}
extension VoiceStateResponse: ResponseEncodable {}
