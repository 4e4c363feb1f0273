// Summarizes the unit and server tests in a few lines: failures in full, and a count for the last line of
// `npm test`.
import { mkdirSync, writeFileSync } from 'node:fs'

export default async function* report(events) {
  let passed = 0
  let failed = 0
  for await (const { type, data } of events) {
    // Files and suites don't count as tests.
    if ((type === 'test:pass' || type === 'test:fail') && data.details?.type !== 'suite' && !isFile(data)) {
      if (type === 'test:pass') passed += 1
      else {
        failed += 1
        const error = data.details?.error
        const told = String(error?.cause?.stack ?? error?.message ?? '').replaceAll('\n', '\n  ')
        yield `FAILED ${data.name}\n  ${data.file ?? ''}:${data.line ?? ''}\n  ${told}\n`
      }
    } else if (type === 'test:fail') {
      failed += 1
      yield `FAILED ${data.name}: ${data.details?.error?.message ?? ''}\n`
    } else if (type === 'test:stderr') yield data.message
  }
  mkdirSync('build', { recursive: true })
  writeFileSync('build/unit-result.json', JSON.stringify({ passed, failed }))
  yield `unit and server tests: ${passed} passed, ${failed} failed\n`
}

function isFile(data) {
  return data.nesting === 0 && /\.test\.m?[jt]s$/.test(data.name)
}
