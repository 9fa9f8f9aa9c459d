import base from './playwright.config';
import { defineConfig } from '@playwright/test';

/** Figures of a site with ten thousand of everything: `./coppice bench ui`. */
export default defineConfig(base, { testDir: 'scale', timeout: 1_800_000 });
