#include <ATen/core/dispatch/Dispatcher.h>

auto attention() {
  return c10::Dispatcher::singleton().findSchemaOrThrow("_C::paged_attention_v1", "");  // expect: PAM301
}
