// Reports on the journeys in a few lines, and saves the counts that `npm test` prints at the end.
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

export default class JourneyReporter implements Reporter {
  private passed = 0
  private failed = 0

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === 'passed') {
      this.passed += 1
      return
    }
    this.failed += 1
    console.log(
      `FAILED ${test.title}\n${result.errors.map((error) => error.stack ?? error.message ?? '').join('\n')}`,
    )
  }

  onError(error: { message?: string }): void {
    this.failed += 1
    console.log(error.message ?? 'the journeys could not start')
  }

  onEnd(): void {
    mkdirSync('build', { recursive: true })
    writeFileSync('build/journey-result.json', JSON.stringify({ passed: this.passed, failed: this.failed }))
    console.log(`journeys: ${this.passed} passed, ${this.failed} failed`)
  }
}
