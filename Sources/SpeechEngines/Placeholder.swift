import EchoText
