import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { browserEndpoints } from './scripts/browser-endpoints.ts'
import { browserParts } from './scripts/browser-parts.ts'
import { firstScripts } from './scripts/browser-scripts.ts'

const plugins = () => [react(), browserEndpoints(), browserParts()]

/** The browser half. `vite build` makes the app; `vite build --ssr` makes the script that writes the public pages. */
export default defineConfig(async ({ isSsrBuild, command }) => ({
  plugins: [tailwindcss(), ...plugins()],
  build: {
    outDir: 'build/client',
    modulePreload: { polyfill: false },
    target: 'es2023',
    assetsInlineLimit: 0,
    manifest: !isSsrBuild,
    rolldownOptions: isSsrBuild
      ? {}
      : {
          input: ['index.html', 'demo.html'],
          // Pages that load on demand import such modules, too, and then Rolldown warns, although the first scripts are
          // without them. A journey measures those (e2e/access.e2e.ts, 'the first load stays within its budget').
          checks: { ineffectiveDynamicImport: false },
          treeshake: { manualPureFunctions: ['z', 'endpoint'] },
          output: {
            codeSplitting: {
              groups: [
                // Runs before every other module of its page.
                { name: 'seal', test: /browser-demo\/seal/, priority: 20 },
                ...(command === 'build' ? await firstScripts(plugins()) : []),
              ],
            },
          },
        },
  },
}))
