/// Draws steps at random, in phases in which the tables rather grow or shrink.
struct StepSource {
  private var random: SplitMix
  private let universe: Int
  private let isForking: Bool
  private var phase = 0
  private var growth = 50

  /// - Parameter isForking: whether versions are copied; otherwise each is changed in place.
  init(random: SplitMix, universe: Int, isForking: Bool) {
    self.random = random
    self.universe = universe
    self.isForking = isForking
  }

  mutating func next() -> TableStep {
    if phase == 0 {
      phase = number(20..<400)
      growth = [15, 50, 80, 95][number(0..<4)]
    }
    phase -= 1
    // Mostly one version, so that others stay behind and that runs of steps are in place.
    let version = number(0..<5) == 0 ? number(0..<4) : 0
    let value = number(0..<universe)
    let kind = kind()
    var amount = 1
    switch kind {
    case .copy: amount = number(0..<4)
    case .reserve: amount = number(0..<universe * 2)
    case .fill, .drain: amount = number(1..<max(2, universe / 3))
    default: break
    }
    return TableStep(kind: kind, version: version, value: value, amount: amount)
  }

  private mutating func kind() -> TableStep.Kind {
    switch number(0..<200) {
    case 0: number(0..<10) == 0 ? .removeAll : .drain
    case 1: .fill
    case 2: .drain
    case 3: .reserve
    case 4: number(0..<4) == 0 ? .rebuild : .walk
    case 5..<11: isForking ? .copy : .insertEqual
    case 11..<30: .update
    case 30..<34: .failingUpdate
    case 34..<44: .replaceSlot
    case 44..<50: .replace
    case 50..<54: .insertEqual
    default:
      number(0..<100) < growth ? (number(0..<3) == 0 ? .updateOrInsert : .insert) : .remove
    }
  }

  private mutating func number(_ range: Range<Int>) -> Int {
    Int.random(in: range, using: &random)
  }
}
