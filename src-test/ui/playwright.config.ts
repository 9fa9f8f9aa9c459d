import { defineConfig } from '@playwright/test';

const work = process.env.UI_TEST_WORK ?? 'target';

// One provider and one browser: the tests of a file follow each other, and files do, too.
export default defineConfig({
  testDir: 'tests',
  outputDir: `${work}/results`,
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['junit', { outputFile: `${work}/TEST-web-ui.xml` }]],
  use: {
    baseURL: process.env.COPPICE_URL,
    ignoreHTTPSErrors: true, // the certificate is the provider's own
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
});
