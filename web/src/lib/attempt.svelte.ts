// Something that is asked of the server: whether it is under way, and what went wrong.

export class Attempt {
  busy = $state(false);
  trouble = $state("");
  /** The same for programs; nothing if the server did not say it. */
  code = $state("");

  /** What comes of it; null if it fails, and `trouble` says why. */
  async make<T>(work: () => Promise<T>): Promise<T | null> {
    this.busy = true;
    this.trouble = "";
    this.code = "";
    try {
      return await work();
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      this.trouble = message;
      this.code = code ?? "";
      return null;
    } finally {
      this.busy = false;
    }
  }
}
