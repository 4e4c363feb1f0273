// Runs the model tests. They take random steps, which can be repeated with the same seed, and count what
// happened for a report.
import assert from 'node:assert/strict'

/** A step and its weight. The higher the weight, the more often the step is chosen. */
export type Step = [weight: number, work: () => Promise<void>]

/**
 * Seeded random numbers and steps. scripts/model.mjs runs 10,000 steps. MODEL_REPORT=1 prints a report, and a
 * different MODEL_SEED gives different steps.
 */
export class RandomSteps {
  readonly count: number
  readonly seed = Number(process.env.MODEL_SEED ?? 2026)
  private state = this.seed
  private counts = new Map<string, number>()

  /** @param usual the number of steps in a normal test run */
  constructor(usual: number) {
    this.count = Number(process.env.MODEL_STEPS ?? usual)
  }

  /** A number from 0 to 1 from a small seeded generator (mulberry32), so that a failing run can be repeated. */
  random = (): number => {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  chance = (share: number): boolean => this.random() < share
  below = (count: number): number => Math.floor(this.random() * count)
  /** A random item; undefined if there are none. */
  pick = <Item>(items: readonly Item[]): Item | undefined => items[this.below(items.length)]
  /** Like pick, but for lists that are never empty. */
  oneOf = <Item>(items: readonly Item[]): Item => {
    assert.ok(items.length > 0, 'nothing to pick from')
    return items[this.below(items.length)] as Item
  }

  /** Counts an event for the report. */
  tally = (what: string): void => void this.counts.set(what, (this.counts.get(what) ?? 0) + 1)

  /**
   * Runs the steps. If one fails, the error includes the seed and the step.
   * @param around `before` and `after` run around each step, with its number; `end` runs once after the last
   * step
   * @param size describes how much data there is at the end, for the report
   */
  async run(
    steps: readonly Step[],
    around: {
      before: (step: number) => Promise<void>
      after: (step: number) => Promise<void>
      end?: () => Promise<void>
    },
    size: () => string = () => '',
  ): Promise<void> {
    const total = steps.reduce((sum, [weight]) => sum + weight, 0)
    const started = [performance.now(), process.cpuUsage()] as const
    let step = 0
    let name = ''
    try {
      for (; step < this.count; step++) {
        await around.before(step)
        const work = this.next(steps, total)
        name = work.name
        this.tally(name)
        await work()
        await around.after(step)
      }
      await around.end?.()
    } catch (error) {
      throw new Error(`MODEL_SEED=${this.seed}, step ${step} (${name}): ${(error as Error).message}`, {
        cause: error,
      })
    } finally {
      if (process.env.MODEL_REPORT) this.report(step, started, size())
    }
  }

  private next(steps: readonly Step[], total: number): Step[1] {
    let at = this.random() * total
    for (const [weight, work] of steps) if ((at -= weight) < 0) return work
    return steps[0]?.[1] ?? assert.fail('no steps')
  }

  private report(steps: number, [since, usage]: readonly [number, NodeJS.CpuUsage], size: string): void {
    const { user, system } = process.cpuUsage(usage)
    const seconds = ((performance.now() - since) / 1000).toFixed(1)
    const told = [...this.counts].map(([what, count]) => `${what} ${count}`).join(', ')
    console.log(
      `seed ${this.seed}: ${steps} steps in ${seconds} s, ${((user + system) / 1e6).toFixed(1)} CPU seconds of Node; ${size}${told}`,
    )
  }
}
