/// <reference types="vitest/config" />
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

// The development server passes on to a provider what is not the UI's own. Its Host header stays
// that of the page: the provider refuses requests from other origins.
const provider = process.env.COPPICE_URL ?? 'https://localhost:9443';

// PatternFly's fonts have italic faces, 115 KiB of them, which the UI does not use.
const withoutItalics: Plugin = {
  name: 'without-italics',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('@patternfly') && id.endsWith('.css')
      ? { code: code.replace(/@font-face\s*\{[^}]*font-style:\s*italic[^}]*\}/g, ''), map: null }
      : null,
};

export default defineConfig({
  plugins: [react(), withoutItalics],
  base: '/',
  build: {
    outDir: '../target/classes/ui',
    emptyOutDir: true,
    assetsInlineLimit: 0, // the Content-Security-Policy forbids data: URLs
    modulePreload: { polyfill: false }, // an inline script would be forbidden, too
    target: 'es2023',
    chunkSizeWarningLimit: 1500, // in KB; pack.js judges the whole
  },
  server: {
    proxy: {
      '^/(api|login|readyz|livez)': { target: provider, secure: false, changeOrigin: false },
    },
  },
  test: { include: ['src/**/*.test.ts', 'src/**/*.test.tsx'], environment: 'node' },
});
