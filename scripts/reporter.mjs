// Summarizes the unit and server tests in a few lines: failures in full, and a count for the last line of
// `npm test`.
import { mkdirSync, writeFileSync } from 'node:fs'

export default async function* report(events) {
  let passed = 0
  let failed = 0
  for await (const { type, data } of events) {
    if (type === 'test:pass' && isTest(data)) passed += 1
    else if (type === 'test:fail') {
      failed += 1
      yield isTest(data) ? failureOf(data) : `FAILED ${data.name}: ${data.details?.error?.message ?? ''}\n`
    } else if (type === 'test:stderr') yield data.message
  }
  mkdirSync('build', { recursive: true })
  writeFileSync('build/unit-result.json', JSON.stringify({ passed, failed }))
  yield `unit and server tests: ${passed} passed, ${failed} failed\n`
}

function failureOf({ name, file = '', line = '', details }) {
  const error = details?.error
  const told = String(error?.cause?.stack ?? error?.message ?? '').replaceAll('\n', '\n  ')
  return `FAILED ${name}\n  ${file}:${line}\n  ${told}\n`
}

/** Files and suites don't count as tests. */
function isTest({ nesting, name, details }) {
  return details?.type !== 'suite' && !(nesting === 0 && /\.test\.m?[jt]s$/.test(name))
}
