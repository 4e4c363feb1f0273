import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// Without windows Chromium takes a third less of the processor: the full one draws a toolbar for each, also unseen.
const installed = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path))

/**
 * The journeys run against one real server with a database of its own, four at a time: on two cores, two of them wait for a page or an email.
 * No journey may change what others see: whoever needs a server with other settings or other pages runs one (runServer).
 */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  fullyParallel: true,
  workers: process.env.SERVERS === '2' ? 1 : 4,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: './reporter.ts',
  outputDir: '../build/journeys',
  globalSetup: './server.ts',
  use: {
    baseURL: 'http://localhost:4173',
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    actionTimeout: 10_000,
    // The worker stores the whole app for working offline, which takes a third of a journey: those about it allow it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: installed,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        // Letters have the same widths in both.
        '--font-render-hinting=none',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})
