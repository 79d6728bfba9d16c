import BenchmarkReport
import Testing

@Suite("What is made of the runs")
struct MeasurementTests {
  @Test(
    "the median is the middle figure, or between the two middle ones",
    arguments: [([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([7], 7), ([], 0)] as [([Double], Double)])
  func median(samples: [Double], expected: Double) {
    #expect(Measurement(contestant: "a", samples: samples).median == expected)
  }

  @Test("the spread is the distance of the ends as a part of the median")
  func spread() {
    #expect(Measurement(contestant: "a", samples: [9, 10, 12]).spread == 0.3)
    #expect(Measurement(contestant: "a", samples: [10]).spread == 0)
    #expect(Measurement(contestant: "a", samples: [0, 0]).spread == 0)
  }

  @Test("runs are apart when none lies between those of the other")
  func apart() {
    let low = Measurement(contestant: "a", samples: [1, 3])
    #expect(low.isApart(from: Measurement(contestant: "a", samples: [4, 5])))
    #expect(!low.isApart(from: Measurement(contestant: "a", samples: [3, 5])))
    #expect(Measurement(contestant: "a", samples: [4, 5]).isApart(from: low))
    #expect(!low.isApart(from: Measurement(contestant: "a", samples: [])))
  }

  @Test("a bar with an allowance is met up to the multiple and the allowance")
  func allowance() {
    let met = Verdict(contestant: "array", limit: 2, allowance: 256, figure: 2)
    #expect(met.isMet)
    #expect(!Verdict(contestant: "array", limit: 2, allowance: 256, figure: 2.01).isMet)
    #expect(!Verdict(contestant: nil, limit: 64, figure: 65).isMet)
  }
}
