import API
import Hummingbird

// The values of `API` as whole answers of a route.

extension SettingResponse: ResponseEncodable {}
