print("x")
for s in Suite.all { let r = try Runner(rounds: 3, turnNanoseconds: 2e6, progress: Progress()).run(s, size: 1000); for c in r.cases { print(c.name); for m in c.measurements { print("   ", m.contestant, m.median, m.spread) } } }
