extension LanguageRules { static let estonian = english }
