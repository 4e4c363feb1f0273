import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// The headless shell uses a third less CPU than full Chromium, which draws a toolbar even for invisible
// windows.
const installed = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path))

/**
 * The journeys share one real server and database. Four run at a time on two cores, because two of the four
 * are usually waiting for a page or an email. A journey must not change anything others can see. If it needs
 * other settings or pages, it runs its own server (runServer).
 */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  fullyParallel: true,
  workers: process.env.SERVERS === '2' ? 1 : 4,
  // Long enough for a machine that's several times slower. No journey asserts how long something takes.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: './reporter.ts',
  outputDir: '../build/journeys',
  globalSetup: './server.ts',
  use: {
    baseURL: 'http://localhost:4173',
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    actionTimeout: 30_000,
    // The service worker stores the whole app for offline use, which takes up a third of a journey's time.
    // Only the journeys that test it allow it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: installed,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        // Makes letters the same width in both browsers.
        '--font-render-hinting=none',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})
