package io.coppice.admin.request;

import io.coppice.admin.field.PlainText;
import io.coppice.admin.field.WholeNumber;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.stereotype.Component;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/// The strict reading of JSON: what is not understood is refused, never left out.
@Component
final class AdminJson implements JsonMapperBuilderCustomizer {

  @Override
  public void customize(JsonMapper.Builder json) {
    json.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .addModule(
            new SimpleModule()
                .addDeserializer(String.class, new PlainText())
                .addDeserializer(Long.class, new WholeNumber<>(Long.class))
                .addDeserializer(Integer.class, new WholeNumber<>(Integer.class)));
  }
}
