/// <reference types="svelte" />
/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Whether the page was built with a model beside it. */
  readonly BUNDLED_MODEL: boolean;
}
