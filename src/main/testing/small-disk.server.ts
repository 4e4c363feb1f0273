import { execFileSync } from 'node:child_process'

/** Mounts a small disk, for tests that fill one. Returns why this machine can't; undefined if it did. */
export function whyNoSmallDisk(place: string, megabytes: number): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'this test needs a small disk of its own, which Linux lets root alone mount'
  const options = `size=${megabytes}m,mode=711`
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'this test needs a small disk of its own, which this machine does not let root mount'
  }
}
